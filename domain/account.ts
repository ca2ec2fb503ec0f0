/** Accounts: what is known of their names. */

/** Names that the service itself gives, until somebody names the account: they tell nobody who it is. */
const givenNames: readonly string[] = ['First account', 'SubAccount'];

/** Who the account is to people outside, `null` where nobody has said. */
export function nameOfAccount(friendlyName: string): string | null {
  const name = friendlyName.trim().replaceAll(/\s+/g, ' ');
  return name === '' || givenNames.includes(name) ? null : name;
}
