/** Completion and validation of YAML from the schemas of its kinds. */

import {
  autocompletion,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { linter, lintGutter, type Diagnostic } from '@codemirror/lint';
import type { Extension, Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { splitYamlDocuments } from '@coxswain/apimachinery/yaml/documents.ts';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { inLanguages } from '../../language/language.ts';
import { checkFields, type FieldProblem } from './check-fields.ts';
import { typeText, type KindSchema, type Schema } from './kind-schema.ts';
import { fieldLines, placeAtEnd, type FieldLine, type Path } from './line-paths.ts';
import { readSchema } from './open-api.ts';

const text = inLanguages(
  {
    unknown: (name: string) => `unknown field "${name}"`,
    type: (wanted: string) => `must be of type ${wanted}`,
    value: (values: string) => `must be one of ${values}`,
    missing: (name: string) => `${name} is required`,
  },
  {
    unknown: (name: string) => `未知字段“${name}”`,
    type: (wanted: string) => `类型必须是 ${wanted}`,
    value: (values: string) => `必须是以下之一：${values}`,
    missing: (name: string) => `缺少必填字段 ${name}`,
  },
);

export const schemaSupport = (): Extension => [
  autocompletion({ override: [complete], icons: false }),
  linter(problemsIn, { delay: 600 }),
  lintGutter(),
];

/** The schema of a document's kind, as far as the document states it. */
async function schemaFor(lines: readonly FieldLine[], document: number): Promise<KindSchema | undefined> {
  const top = (name: string): string => {
    const found = lines.find(
      (one) => one.document === document && one.path.length === 1 && one.path[0] === name,
    );
    return (found?.value ?? '').replaceAll(/["']|\s+#.*$/g, '').trim();
  };
  return readSchema(top('apiVersion'), top('kind'));
}

const keyBefore = /^[\s-]*([\w.$/-]*)$/;
const valueBefore = /^([\s-]*)([\w.$/-]+):\s+"?([\w.-]*)$/;

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const { state, pos, explicit } = context;
  const line = state.doc.lineAt(pos);
  const before = line.text.slice(0, pos - line.from);
  const key = keyBefore.exec(before);
  const value = valueBefore.exec(before);
  if (key === null && value === null) return null;
  if (key?.[1] === '' && !explicit) return null;
  const lines = fieldLines(state.doc.toString());
  const { parent, document } = placeAtEnd(
    state.sliceDoc(0, line.from) + (value === null ? before : value[1]!),
  );
  const schema = await schemaFor(lines, document);
  if (schema === undefined) return null;
  if (value !== null) {
    const at = schema.at([...parent, value[2]!]);
    return { from: pos - value[3]!.length, options: valuesOf(at) };
  }
  const present = new Set(
    lines
      .filter((one) => one.document === document && isChild(one.path, parent))
      .map(({ path }) => String(path.at(-1))),
  );
  const indent = ' '.repeat(before.length - key![1]!.length);
  const options = fieldsOf(schema, schema.at(parent), present, indent);
  return { from: pos - key![1]!.length, options, validFor: /^[\w.$/-]*$/ };
}

const isChild = (path: Path, parent: Path): boolean =>
  path.length === parent.length + 1 && parent.every((part, index) => part === path[index]);

function fieldsOf(
  schema: KindSchema,
  at: Schema | undefined,
  present: ReadonlySet<string>,
  indent: string,
): Completion[] {
  const required = new Set(at?.required ?? []);
  return Object.entries(at?.properties ?? {})
    .filter(([name]) => !present.has(name))
    .map(([name, unresolved]) => {
      const field = schema.resolved(unresolved);
      return {
        label: name,
        detail: typeText(field),
        boost: required.has(name) ? 1 : 0,
        ...(field.description !== undefined && { info: field.description }),
        apply: inserting(name, field, indent),
      };
    });
}

/** Inserts the field and the beginning of a value of its type. */
function inserting(name: string, { type, enum: values }: Schema, indent: string) {
  const after = type === 'object' ? `:\n${indent}  ` : type === 'array' ? `:\n${indent}- ` : ': ';
  return (view: EditorView, _completion: Completion, from: number, to: number): void => {
    const insert = name + after;
    view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length } });
    if (type === 'object' || type === 'array' || type === 'boolean' || values !== undefined)
      startCompletion(view);
  };
}

const valuesOf = (at: Schema | undefined): Completion[] =>
  (at?.enum ?? (at?.type === 'boolean' ? [true, false] : [])).map((one) => ({ label: String(one) }));

async function problemsIn({ state }: EditorView): Promise<readonly Diagnostic[]> {
  const whole = state.doc.toString();
  const lines = fieldLines(whole);
  const found: Diagnostic[] = [];
  let objects: unknown[];
  try {
    objects = splitYamlDocuments(whole).map((document) => readYaml(document));
  } catch (failure) {
    return [syntaxProblem(state.doc, messageOf(failure))];
  }
  // Empty documents are not objects and have no fields.
  const documents = [...new Set(lines.map(({ document }) => document))];
  for (const [index, object] of objects.filter((one) => one !== null).entries()) {
    const document = documents[index] ?? 0;
    const schema = await schemaFor(lines, document);
    if (schema === undefined) continue;
    const own = lines.filter((one) => one.document === document);
    for (const problem of checkFields(schema, object)) found.push(shown(state.doc, own, problem));
  }
  return found;
}

function syntaxProblem(doc: Text, message: string): Diagnostic {
  const named = Number(/line (\d+)/.exec(message)?.[1] ?? 1);
  const line = doc.line(Math.min(Math.max(named, 1), doc.lines));
  return { from: line.from, to: line.to, severity: 'error', message };
}

/** Places the problem at the field's key, or at that of the nearest enclosing field. */
function shown(doc: Text, lines: readonly FieldLine[], { path, problem }: FieldProblem): Diagnostic {
  let place: FieldLine | undefined;
  for (let length = path.length; length > 0 && place === undefined; length--)
    place = lines.find((one) => startsWith(one.path, path.slice(0, length)));
  const line = doc.line((place?.line ?? lines[0]?.line ?? 0) + 1);
  return {
    from: line.from + (place?.from ?? 0),
    to: place === undefined ? line.to : line.from + place.to,
    severity: problem.kind === 'missing' ? 'warning' : 'error',
    message: sentence(problem),
  };
}

const startsWith = (path: Path, beginning: Path): boolean =>
  beginning.every((part, index) => path[index] === part);

function sentence(problem: FieldProblem['problem']): string {
  switch (problem.kind) {
    case 'unknown':
      return text().unknown(problem.name);
    case 'type':
      return text().type(problem.wanted);
    case 'value':
      return text().value(problem.values.map(String).join(', '));
    case 'missing':
      return text().missing(problem.name);
  }
}
