/** The mailbox over HTTP: JSON for scripts, pages for people. Contract: design.md §5. */
import { Hono } from 'hono';
import type { Mailbox } from './mailbox.ts';
import { sendPage, wantsPage } from './pages/layout.tsx';
import { MailListPage, MailPage, mailSandbox } from './pages/mail.tsx';

/** A mail is somebody else's HTML: nothing in it runs, loads, or leaves its frame. */
const htmlPolicy = `sandbox ${mailSandbox}; default-src 'none'; style-src 'unsafe-inline'; img-src data:`;

export function createMailRoutes(mailbox: Mailbox): Hono {
  const app = new Hono();
  app.get('/mail', (ctx) => {
    const mails = mailbox.list(ctx.req.query('to'));
    return wantsPage(ctx) ? sendPage(ctx, <MailListPage mails={mails} />) : ctx.json(mails);
  });
  app.get('/mail/:id', (ctx) => {
    const mail = mailbox.find(ctx.req.param('id'));
    if (!mail) return ctx.json({ error: 'no such mail' }, 404);
    return wantsPage(ctx) ? sendPage(ctx, <MailPage mail={mail} />) : ctx.json(mail);
  });
  app.get('/mail/:id/html', async (ctx) => {
    const mail = mailbox.find(ctx.req.param('id'));
    if (!mail) return ctx.json({ error: 'no such mail' }, 404);
    ctx.header('Content-Security-Policy', htmlPolicy);
    ctx.header('X-Content-Type-Options', 'nosniff');
    // As a mail program does it: letters of the system, and links in a window of their own.
    const look = 'body { font: 16px/1.5 system-ui; margin: 1.2rem; overflow-wrap: anywhere }';
    const frame = `<base target="_blank"><style>${look}</style>`;
    return ctx.html(frame + (await mailbox.html(mail.id)));
  });
  app.get('/mail/:id/attachments/:index', async (ctx) => {
    const mail = mailbox.find(ctx.req.param('id'));
    const index = Number(ctx.req.param('index'));
    const described = mail?.attachments[index];
    const found = mail && described ? await mailbox.attachment(mail.id, index) : null;
    if (!found || !described) return ctx.json({ error: 'no such attachment' }, 404);
    // Only a PDF is shown in the browser; anything else is saved.
    const isPdf = found.contentType === 'application/pdf' && ctx.req.query('download') === undefined;
    const name = encodeURIComponent(described.filename);
    return ctx.body(found.content, 200, {
      'Content-Type': isPdf ? 'application/pdf' : 'application/octet-stream',
      'Content-Disposition': `${isPdf ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
      'X-Content-Type-Options': 'nosniff',
    });
  });
  return app;
}
