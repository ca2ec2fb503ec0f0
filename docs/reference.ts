/**
 * The committed reference: `docs/openapi.json`, `docs/postman.json` and `docs/conformance.md`, made from the operations.
 * `npm run reference` writes them; a test holds them to the code.
 */
import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { convertV2 } from 'openapi-to-postmanv2';
import { webhooks } from '../api/event-reference.ts';
import { openApiDocument } from '../api/openapi.ts';
import { operations } from '../api/operations.ts';
import { conformanceSections, conformanceText } from './conformance.ts';

/** The files by name, each with its whole text. */
export async function referenceFiles(): Promise<
  Readonly<Record<'openapi.json' | 'postman.json' | 'conformance.md', string>>
> {
  const openapi = openApiDocument({ publicUrl: 'http://localhost:3000', operations, webhooks });
  return {
    'openapi.json': text(openapi),
    'conformance.md': conformanceText(await conformanceSections(openapi)),
    'postman.json': text(withoutChance(toEndpoints(await postmanCollection(openapi)))),
  };
}

const text = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function postmanCollection(openapi: object): Promise<Collection> {
  const options = {
    includeWebhooks: true,
    folderStrategy: 'Tags',
    parametersResolution: 'Schema',
    includeAuthInfoInExample: false,
    // A placeholder that is sent is a wrong value, and one Idempotency-Key for all requests refuses all but the first.
    enableOptionalParameters: false,
  };
  return new Promise((resolve, reject) => {
    convertV2(
      { type: 'json', data: withoutChoices(JSON.parse(JSON.stringify(openapi))) },
      options,
      (error, result) => {
        const collection = result?.output?.[0]?.data;
        if (error || !result?.result || !collection) reject(new Error(error?.message ?? result?.reason));
        else resolve(collection as Collection);
      },
    );
  });
}

/** Of a Postman collection what is looked into here. */
interface Collection {
  readonly item: readonly unknown[];
  readonly variable: readonly object[];
}

const webhookUrl = {
  key: 'webhookUrl',
  value: 'https://customer.example/webhooks',
  description:
    'Your endpoint: where the service sends the requests of the last folder. It takes none of them itself.',
};

/** The webhooks, last of the folders, go to the customer's endpoint: at our own address some of their paths are calls. */
function toEndpoints({ item, variable, ...rest }: Collection): Collection {
  const folders = item.map((folder, index) =>
    index === item.length - 1 ? withHost(folder, `{{${webhookUrl.key}}}`) : folder,
  );
  return { ...rest, item: folders, variable: [...variable, webhookUrl] };
}

function withHost(folder: unknown, host: string): unknown {
  return JSON.parse(JSON.stringify(folder).replaceAll('"{{baseUrl}}"', JSON.stringify(host)));
}

/** The converter picks values at chance where there is a pattern or a list of words; `<string>` says more to a reader. */
function withoutChoices(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutChoices);
  if (typeof value !== 'object' || value === null) return value;
  const { pattern: _pattern, minLength: _minLength, enum: words, ...rest } = value as Record<string, unknown>;
  const plain = Object.entries(rest).map(([name, child]) => [name, withoutChoices(child)]);
  const described = Array.isArray(words) ? [['description', `One of ${words.join(', ')}`]] : [];
  return Object.fromEntries([...plain, ...described]);
}

/** The converter gives every part a random id and invents values; without these the same code gives the same file. */
function withoutChance(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutChance);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([name, child]) => !(isChance(name) && typeof child === 'string'))
    .map(([name, child]) => [name, name === 'response' ? [] : withoutChance(child)]);
  return Object.fromEntries(entries);
}

const isChance = (name: string): boolean => ['id', 'uid', '_postman_id'].includes(name);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, content] of Object.entries(await referenceFiles())) {
    await writeFile(new URL(name, import.meta.url), content);
  }
}
