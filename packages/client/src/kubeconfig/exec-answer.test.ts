import { expect, test } from 'vitest';
import { execStatusIn } from './exec-answer.ts';

const v1 = 'client.authentication.k8s.io/v1';
const of = (status: unknown, more: object = {}) =>
  JSON.stringify({ apiVersion: v1, kind: 'ExecCredential', status, ...more });

test.each<readonly [string, object]>([
  [of({ token: 't' }), { token: 't' }],
  [
    of({ token: 't', expirationTimestamp: '1970-01-01T00:00:01Z', more: [1] }),
    { token: 't', expiresMs: 1000 },
  ],
  [of({ token: 't' }, { kind: undefined, extra: 1 }), { token: 't' }],
  [of({ Token: 't' }), {}],
  [`apiVersion: ${v1}\nkind: ExecCredential\nstatus: {token: t}\n---\nother: document\n`, { token: 't' }],
])('%j is read', (output, status) => {
  expect(execStatusIn(output, v1)).toMatchObject(status);
});

const wrongVersion = (given: string) =>
  `exec plugin is configured to use API version ${v1}, plugin returned version client.authentication.k8s.io/${given}`;
const unknownKind = (kind: string, version: string) =>
  `decoding stdout: no kind "${kind}" is registered for version "${version}" in scheme "pkg/runtime/scheme.go:111"`;
const mismatch = (what: string) => `decoding stdout: json: cannot unmarshal ${what}`;
const noJson = "decoding stdout: couldn't get version/kind; json parse error: ";

// The messages of kubectl 1.36.3.
test.each([
  ['', wrongVersion('__internal')],
  ['\n', wrongVersion('__internal')],
  [JSON.stringify({ kind: 'ExecCredential', status: { token: 't' } }), wrongVersion('__internal')],
  [of({ token: 't' }, { apiVersion: `${v1}beta1` }), wrongVersion('v1beta1')],
  [of({ token: 't' }, { apiVersion: `${v1}alpha1` }), unknownKind('ExecCredential', `${v1}alpha1`)],
  [of({ token: 't' }, { kind: 'Foo' }), unknownKind('Foo', v1)],
  [of({ token: 't' }, { kind: 'ExecCredentialList' }), unknownKind('ExecCredentialList', v1)],
  ['{"kind":"Pod","apiVersion":"v1"}', unknownKind('Pod', 'v1')],
  [
    '{"kind":"Status","apiVersion":"v1"}',
    'decoding stdout: converting (v1.Status) to (clientauthentication.ExecCredential): unknown conversion',
  ],
  [of({}, { apiVersion: 'a/b/c' }), 'decoding stdout: unexpected GroupVersion string: a/b/c'],
  [of(null), "exec plugin didn't return a status field"],
  [
    of({ token: 5 }),
    mismatch('number into Go struct field ExecCredentialStatus.status.token of type string'),
  ],
  [
    of({ token: {} }),
    mismatch('object into Go struct field ExecCredentialStatus.status.token of type string'),
  ],
  [
    of({ clientKeyData: 1 }),
    mismatch('number into Go struct field ExecCredentialStatus.status.clientKeyData of type string'),
  ],
  [
    of({ expirationTimestamp: 5 }),
    mismatch('number into Go struct field ExecCredentialStatus.status.expirationTimestamp of type string'),
  ],
  [
    of({ expirationTimestamp: 'soon' }),
    'decoding stdout: parsing time "soon" as "2006-01-02T15:04:05Z07:00": cannot parse "soon" as "2006"',
  ],
  [of('x'), mismatch('string into Go struct field ExecCredential.status of type v1.ExecCredentialStatus')],
  [of([]), mismatch('array into Go struct field ExecCredential.status of type v1.ExecCredentialStatus')],
  [
    of({ token: 't' }, { spec: 5 }),
    mismatch('number into Go struct field ExecCredential.spec of type v1.ExecCredentialSpec'),
  ],
  [of({ token: 't' }).slice(0, -1), `${noJson}unexpected end of JSON input`],
  [`${of({ token: 't' })}{"a":1}`, `${noJson}invalid character '{' after top-level value`],
  ['<html>no</html>', `${noJson}json: cannot unmarshal string into Go value of type struct`],
  ['\0\0', 'decoding stdout: yaml: control characters are not allowed'],
])('%j is refused', (output, message) => {
  expect(() => execStatusIn(output, v1)).toThrow(message);
});
