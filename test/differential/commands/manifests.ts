/** The files that command lines name: what is set up first, and what is good or bad to apply. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { richObjects } from './objects.ts';

export function writeManifests(directory: string): void {
  mkdirSync(path.join(directory, 'many'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(directory, name), text);
}

const documents = (objects: readonly object[]): string =>
  objects.map((object) => `---\n${JSON.stringify(object)}\n`).join('');

const configMap = (name: string, data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

const files: Readonly<Record<string, string>> = {
  'objects.yaml': documents(richObjects),
  'new.yaml': documents([configMap('new', { colour: 'blue' })]),
  'two.yaml': documents([configMap('one', { a: '1' }), configMap('two', { b: '2' })]),
  'list.json': JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: [configMap('three', {}), configMap('four', {})],
  }),
  'many/a.yaml': documents([configMap('a', {})]),
  'many/b.json': JSON.stringify(configMap('b', {})),
  'many/c.txt': 'no manifest',
  'empty.yaml': '',
  'scalar.yaml': 'just text\n',
  'sequence.yaml': '- a\n- b\n',
  'number.json': '7',
  'nokind.yaml': 'apiVersion: v1\nmetadata: {name: x}\n',
  'noversion.yaml': 'kind: ConfigMap\nmetadata: {name: x}\n',
  'unknownkind.yaml': 'apiVersion: example.com/v1\nkind: Nothing\nmetadata: {name: x}\n',
  'unknownfield.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\nwrong: 1\n',
  'badtype.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: x}\nspec: {ports: wrong}\n',
  'invalid.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Not_Valid}\n',
  'otherns.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: elsewhere}\n',
  'tab.yaml': 'apiVersion: v1\n\tkind: ConfigMap\n',
  'flow.yaml': 'apiVersion: v1\nmetadata: {name: x\nkind: ConfigMap\n',
  'open.yaml': 'data: [\n',
  'quote.yaml': 'a: "never closed\n',
  'indent.yaml': 'a:\n  b: 1\n c: 2\n',
  'colon.yaml': 'a: b: c\n',
  'anchor.yaml': 'a: *nothing\n',
  'twice.yaml': 'apiVersion: v1\nkind: ConfigMap\nkind: Secret\nmetadata: {name: x}\n',
  'at.yaml': 'a: @b\n',
  'percent.yaml': 'a: %b\n',
  'backtick.yaml': 'a: `b\n',
  'dash.yaml': 'a: 1\n- b\n',
  'broken.json': '{"apiVersion": "v1", "kind": \n',
  'comma.json': '{"apiVersion": "v1",}',
  'patch.json': '[{"op":"add","path":"/data/patched","value":"yes"}]',
  'patch.yaml': 'data:\n  patched: "yes"\n',
  env: 'A=1\nB=two words\n# no\n\nC=\n',
  'plain.txt': 'some text\n',
};
