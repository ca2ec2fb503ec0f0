/**
 * Lint's own rule for paths of our own files.
 *
 * The pathname of a file's URL is still encoded: a checkout in a folder with a space would look for `my%20folder`.
 */

const isOfThisModule = (node) =>
  node.type === 'NewExpression' &&
  node.callee.name === 'URL' &&
  node.arguments.some((part) => part.type === 'MemberExpression' && part.object.type === 'MetaProperty');

const noPathnameOfModule = {
  meta: {
    type: 'problem',
    docs: { description: 'The pathname of a module’s URL is not a path' },
    messages: { encoded: 'A pathname is encoded: use fileURLToPath.' },
  },
  create: (context) => ({
    MemberExpression({ object, property }) {
      if (property.name === 'pathname' && isOfThisModule(object))
        context.report({ node: property, messageId: 'encoded' });
    },
  }),
};

export default {
  meta: { name: 'path' },
  rules: { 'no-pathname-of-module': noPathnameOfModule },
};
