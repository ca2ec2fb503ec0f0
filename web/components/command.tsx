/** What to type in a terminal to do the same by the API. */
import type { FC } from 'hono/jsx';

export const Command: FC<{ children: string }> = ({ children }) => (
  <pre class="command">
    <code>{children}</code>
  </pre>
);

export interface ApiCall {
  readonly publicUrl: string;
  readonly path: string;
  readonly method?: 'POST' | 'DELETE';
  readonly form?: Readonly<Record<string, string>>;
  /** `user:password` as the shell should fill it in. */
  readonly user?: string;
}

/** The curl command of a call. Values are encoded by curl, so that a `+` arrives as one. */
export function curl({
  publicUrl,
  path,
  method,
  form = {},
  user = '$ACCOUNT_SID:$AUTH_TOKEN',
}: ApiCall): string {
  const fields = Object.entries(form).map(
    ([name, value]) => `  --data-urlencode ${shellWord(`${name}=${value}`)}`,
  );
  const verb =
    method === 'DELETE' ? '-X DELETE ' : method === 'POST' && fields.length === 0 ? '-X POST ' : '';
  return [`curl ${verb}-u "${user}" ${shellWord(publicUrl + path)}`, ...fields].join(' \\\n');
}

/** One word for the shell, whatever it holds. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
