/** The words of a letter of authorization: the PDF and the signing page say the same. Source: domain.md §5.4. */

/** Line the signer agrees to before signing; the audit page repeats it. */
export const signingConsent = 'I agree to receive this letter and to sign it electronically.';

/** What stands over the parts of the letter. `count` is the number of telephone numbers of the letter. */
export function letterHeadings(count: number): Readonly<Record<'purpose' | 'owner' | 'numbers', string>> {
  const single = count === 1;
  return {
    purpose: `To enable text messaging on ${single ? 'a telephone number' : 'telephone numbers'} in service`,
    owner: single ? 'Owner of the number' : 'Owner of the numbers',
    numbers: single ? 'Telephone number' : `Telephone numbers (${count})`,
  };
}

/** What is authorized, in one paragraph. `count` is the number of telephone numbers of the letter. */
export function authorizationStatement(provider: string, count: number): string {
  const [number, these] = count === 1 ? ['number', 'this number'] : ['numbers', 'these numbers'];
  return (
    `The undersigned authorizes ${provider}, and the carriers it works with, to enable text messaging (SMS and MMS) ` +
    `on the telephone ${number} listed in this letter and to route the texts of ${these} to its network. ` +
    `Voice service is not changed and stays with the present carrier.`
  );
}

/** Who may give the authorization, and how long it holds. */
export function entitlementStatement(count: number): string {
  const number = count === 1 ? 'number' : 'numbers';
  return (
    `The undersigned is the owner of the ${number}, or is entitled to act for the owner. ` +
    `The authorization holds until it is revoked in writing, and replaces any earlier one for the ${number}.`
  );
}
