// Starts Swagger UI on the page of the API reference.

/**
 * "Try it out" fills every field with its example, and where there is none invents one from the type and the pattern: a
 * request of inventions is always refused. So a field of a form starts with what it has to be, with its example if it has
 * to be sent, and else empty; what is empty is not sent. A JSON body starts with what it has to hold. The published
 * description stays as it is.
 */
function withQuietForms(description) {
  for (const path of Object.values(description.paths))
    for (const { parameters = [], requestBody } of Object.values(path)) {
      // An example among the filters of a list would be taken for a filter.
      for (const { schema } of parameters) delete schema.examples;
      for (const [type, body] of Object.entries(requestBody?.content ?? {}))
        if (type !== 'application/json') quietForm(body.schema);
        else if (body.schema.required) body.example = needed(body.schema);
    }
  return description;
}

function quietForm({ properties, required = [] }) {
  for (const [name, property] of Object.entries(properties)) {
    if (property.format === 'binary') continue;
    const empty = property.type === 'array' ? [] : '';
    const [example = empty] = required.includes(name) ? (property.examples ?? []) : [];
    property.example = property.const ?? example;
    delete property.examples;
  }
}

/** A value that holds no more than it has to. */
function needed({ const: only, examples, type, oneOf, items, properties = {}, required = [] }) {
  if (only !== undefined || examples) return only ?? examples[0];
  if (oneOf) return needed(oneOf[0]);
  if (type === 'array') return [needed(items)];
  if (type !== 'object') return '';
  const kept = Object.entries(properties).filter(
    ([name, { const: only }]) => required.includes(name) || only,
  );
  return Object.fromEntries(kept.map(([name, property]) => [name, needed(property)]));
}

/** "Send empty value" means to take a value away: it has to be chosen, not to be got rid of field by field. */
const emptyOnlyWhenAsked = () => ({
  wrapComponents: {
    ParameterIncludeEmpty:
      (Original, { React }) =>
      (props) => {
        const isIncludedOptions = { ...props.isIncludedOptions, defaultValue: false };
        return React.createElement(Original, { ...props, isIncludedOptions });
      },
  },
});

/** Every set of credentials takes the focus when it is shown, so that the last one has it: the account's is wanted. */
const firstCredentialsFirst = () => ({
  wrapComponents: {
    authorizationPopup:
      (Original, { React }) =>
      (props) => {
        React.useEffect(() => document.querySelector('.reference .modal-ux input')?.focus(), []);
        return React.createElement(Original, props);
      },
  },
});

/** Swagger UI makes its title the first heading of a page, which has one already: it comes below that one. */
const titleBelowHeading = () => ({
  wrapComponents: {
    InfoContainer:
      (_Original, { React: { createElement: element } }) =>
      ({ specSelectors, getComponent }) => {
        const { title, version, description, license } = specSelectors.info().toJS();
        const stamp = element('small', null, element('span', { className: 'version' }, version));
        return element(
          'div',
          { className: 'info' },
          element('h2', { className: 'title' }, title, stamp),
          element(getComponent('Markdown', true), { source: description }),
          element('p', null, license.name),
        );
      },
  },
});

/** Its one field above the operations has a placeholder only, which is gone as soon as something is typed. */
const filterWithName = () => ({
  wrapComponents: {
    FilterContainer:
      (Original, { React }) =>
      (props) => {
        React.useEffect(() => {
          const field = document.querySelector('.reference .operation-filter-input');
          field?.setAttribute('aria-label', field.placeholder);
        });
        return React.createElement(Original, props);
      },
  },
});

async function start() {
  const answer = await fetch('/openapi.json');
  SwaggerUIBundle({
    spec: withQuietForms(await answer.json()),
    dom_id: '#swagger-ui',
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    tryItOutEnabled: true,
    persistAuthorization: false,
    defaultModelsExpandDepth: -1,
    validatorUrl: null,
    plugins: [emptyOnlyWhenAsked, firstCredentialsFirst, titleBelowHeading, filterWithName],
  });
}

void start();
