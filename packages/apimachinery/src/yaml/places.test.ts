import { expect, test } from 'vitest';
import { yamlDocuments } from './documents.ts';
import { yamlPlaces } from './places.ts';

const text = `# a comment
apiVersion: v1
metadata:
  name: "web"
  labels: {a: b,
    c: d}
spec:
  ports:
  - port: 80
    name: http
  -
    port: 81
  script: |
    one
    two
  last: end
`;

test('members and items have the line of their key or their beginning', () => {
  const root = yamlPlaces(text)!;
  const spec = root.members.get('spec')!;
  const ports = spec.members.get('ports')!;
  expect(root.line).toBe(2);
  expect(root.members.get('metadata')!.members.get('name')!.line).toBe(4);
  expect(root.members.get('metadata')!.members.get('labels')!.members.get('c')!.line).toBe(6);
  expect(ports.line).toBe(8);
  expect(ports.items.map((item) => item.line)).toEqual([9, 12]);
  expect(ports.items[0]!.members.get('name')!.line).toBe(10);
  expect(spec.members.get('last')!.line).toBe(16);
});

test('JSON has places, too, and an empty text none', () => {
  expect(yamlPlaces('{\n "a": [\n  1,\n  {"b": 2}]}')!.members.get('a')!.items[1]!.line).toBe(4);
  expect(yamlPlaces('')).toBeUndefined();
});

test('documents of a stream know their first line', () => {
  const stream = '# head\n---\na: 1\n---\n# nothing\n--- # with a comment\r\n\nb: 2\n';
  expect(yamlDocuments(stream)).toEqual([
    { text: 'a: 1\n', line: 3 },
    { text: '\nb: 2\n', line: 7 },
  ]);
  expect(yamlDocuments('a: 1')).toEqual([{ text: 'a: 1', line: 1 }]);
});
