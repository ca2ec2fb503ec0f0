/**
 * Lint's own rules for workflows, for slips that no rule of oxlint sees.
 *
 * A validator that is async can refuse nothing: the update is accepted as soon as it returns its promise. The rules about
 * promises find one by its type, and miss it where it is written in place without parameters or as a method.
 */

const isAsync = (node) =>
  (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression') && node.async;

const noAsyncValidator = {
  meta: {
    type: 'problem',
    docs: { description: 'Validators of updates must not be async' },
    messages: { async: 'A validator that is async refuses nothing: check at once, or check in the handler.' },
  },
  create: (context) => ({
    Property({ key, computed, value }) {
      const name = key.type === 'Literal' ? key.value : computed ? undefined : key.name;
      if (name === 'validator' && isAsync(value)) context.report({ node: value, messageId: 'async' });
    },
  }),
};

export default {
  meta: { name: 'workflow' },
  rules: { 'no-async-validator': noAsyncValidator },
};
