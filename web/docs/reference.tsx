/** The API reference: Swagger UI over this service's own `/openapi.json`, all of it served from here. */
import type { FC } from 'hono/jsx';
import { Page } from '../layout.tsx';
import { publicNav } from '../site-nav.ts';

export const ReferencePage: FC = () => (
  <Page
    title="API reference"
    nav={publicNav('/docs')}
    stylesheets={['swagger-ui.css', 'reference.css']}
    scripts={['swagger-ui.js', 'reference.js']}
  >
    <h1>API reference</h1>
    <p class="lead">
      Sign in with “Authorize”: your AccountSid is the user name, an AuthToken the password. The description
      itself is <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1), for Postman{' '}
      <a href="/postman.json">/postman.json</a>.
    </p>
    <div id="swagger-ui" class="reference" data-theme="light">
      <noscript>This page needs JavaScript; the description at /openapi.json can be read without.</noscript>
    </div>
  </Page>
);
