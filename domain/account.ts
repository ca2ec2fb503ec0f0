/** Accounts: their states, and what is known of their names. */

export const accountStatuses = ['active', 'suspended', 'closed'] as const;

/** Names that the service itself gives, until somebody names the account: they tell nobody who it is. */
export const firstAccountName = 'First account';
export const subAccountName = 'SubAccount';
const givenNames: readonly string[] = [firstAccountName, subAccountName];

/** Who the account is to people outside, `null` where nobody has said. */
export function nameOfAccount(friendlyName: string): string | null {
  const name = friendlyName.trim().replaceAll(/\s+/g, ' ');
  return name === '' || givenNames.includes(name) ? null : name;
}
