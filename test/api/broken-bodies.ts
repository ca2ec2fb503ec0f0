/** Bodies that no page of ours sends, and what their sender is told. */
export interface BrokenBody {
  readonly what: string;
  readonly type: string;
  readonly text: string;
  /** Words of the page that answers. */
  readonly told: string;
}

const notAForm = 'What was sent is not a form';
const broken = 'The form is broken';
const multipart = 'multipart/form-data; boundary=x';

export const brokenBodies: readonly BrokenBody[] = [
  { what: 'JSON', type: 'application/json', text: '{}', told: notAForm },
  { what: 'plain text', type: 'text/plain', text: 'reason=none', told: notAForm },
  { what: 'multipart without a boundary', type: 'multipart/form-data', text: 'x', told: broken },
  { what: 'multipart cut short', type: multipart, text: '--x\r\nContent-Disp', told: broken },
  {
    what: 'urlencoded with a NUL',
    type: 'application/x-www-form-urlencoded',
    text: 'Body=a%00b',
    told: 'A field holds a NUL character',
  },
  {
    what: 'multipart with a NUL',
    type: multipart,
    text: '--x\r\nContent-Disposition: form-data; name="Body"\r\n\r\na\0b\r\n--x--\r\n',
    told: 'A field holds a NUL character',
  },
];
