import { expect, test } from 'vitest';
import { readAuditPolicy } from './read-policy.ts';

const silent = () => undefined;
const head = 'apiVersion: audit.k8s.io/v1\nkind: Policy\n';
const stages = 'allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic';

// Upstream's responses to the same files.
test.each([
  ['', 'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy'],
  ['rules: []', 'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy'],
  ['kind: Policy\nrules: []', 'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy'],
  [
    'apiVersion: audit.k8s.io/v1beta1\nkind: Policy\nrules: [{level: Metadata}]',
    'failed decoding: no kind "Policy" is registered for version "audit.k8s.io/v1beta1" in scheme "pkg/runtime/scheme.go:111"',
  ],
  [
    'apiVersion: audit.k8s.io/v1\nkind: Event\nrules: [{level: Metadata}]',
    'failed decoding: converting (v1.Event) to (audit.Policy): unknown conversion',
  ],
  [head, 'loaded illegal policy with 0 rules'],
  [
    `${head}foo: 1\nrules: [{level: Metadata, x: 1}]\nomitStages: [Foo]`,
    `omitStages[0]: Invalid value: "Foo": ${stages}`,
  ],
  [
    `${head}rules:\n- level: ""\n- level: Foo\n- level: Metadata\n  nonResourceURLs: ["a", "*", "/*a", ""]`,
    '[rules[0].level: Required value, rules[1].level: Unsupported value: "Foo": supported values: "None", "Metadata", "Request", "RequestResponse", ' +
      `rules[2].nonResourceURLs[0]: Invalid value: "a": non-resource URL rules must begin with a '/' character, ` +
      `rules[2].nonResourceURLs[2]: Invalid value: "/*a": non-resource URL wildcards '*' must be the final character of the rule, ` +
      `rules[2].nonResourceURLs[3]: Invalid value: "": non-resource URL rules must begin with a '/' character]`,
  ],
  [
    `${head}rules:\n- level: None\n  resources: [{resourceNames: [x]}]\n- level: None\n  nonResourceURLs: ["/a"]\n  namespaces: [x]`,
    '[rules[0].resources.resourceNames: Invalid value: ["x"]: using resourceNames requires at least one resource, ' +
      'rules[1].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs]',
  ],
])('%j is refused', (text, message) => {
  expect(() => readAuditPolicy(text, silent)).toThrow(message);
});

test('unknown members are logged and ignored', () => {
  const reported: string[] = [];
  const policy = readAuditPolicy(`${head}foo: 1\nrules: [{level: Metadata, x: 1}]`, (line) =>
    reported.push(line),
  );
  expect(policy.rules).toEqual([{ level: 'Metadata' }]);
  expect(reported).toEqual([
    'Audit policy contains errors, falling back to lenient decoding: strict decoding error: unknown field "foo", unknown field "rules[0].x"',
  ]);
});
