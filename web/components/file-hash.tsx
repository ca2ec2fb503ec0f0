/** A SHA-256 in groups that can be compared by eye, and copied whole. */
import type { FC } from 'hono/jsx';

export const FileHash: FC<{ sha256: string }> = ({ sha256 }) => (
  <code class="hash">
    {sha256.match(/.{1,8}/g)?.map((group) => (
      <span>{group}</span>
    ))}
  </code>
);
