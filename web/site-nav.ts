/** The public part of the bar: documentation and the check of a signed letter. */
import type { NavItem } from './layout.tsx';

const items = [
  { href: '/docs', label: 'API reference' },
  { href: '/docs/webhooks', label: 'Webhooks' },
  { href: '/docs/errors', label: 'Errors' },
  { href: '/verify', label: 'Verify a letter' },
] as const;

export type PublicPath = (typeof items)[number]['href'];

export function publicNav(current?: PublicPath): NavItem[] {
  return items.map((item) => ({ ...item, current: item.href === current }));
}
