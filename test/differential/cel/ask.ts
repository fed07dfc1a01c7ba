/** A group of expressions, asked of one server: which compile, and what the others evaluate to. */
import type { Transport } from '@coxswain/client/transport.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
export const resources = {
  policies: `${group}/validatingadmissionpolicies`,
  bindings: `${group}/validatingadmissionpolicybindings`,
};

export interface Asked {
  readonly status: number;
  readonly body: unknown;
  readonly warnings: readonly string[];
}

export type Ask = (method: string, path: string, body?: object) => Promise<Asked>;

/** @param isRemote whether headers come as bytes: they are UTF-8 then */
export const asker =
  (transport: Transport, token: string, isRemote: boolean): Ask =>
  async (method, path, body) => {
    const response = await transport.send({
      method,
      path,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body: new TextEncoder().encode(JSON.stringify(body)) }),
    });
    const decoded = (text: string) => (isRemote ? Buffer.from(text, 'latin1').toString() : text);
    const warning = response.headers['warning'] ?? [];
    return {
      status: response.status,
      body: JSON.parse(Buffer.from(await response.bytes()).toString() || 'null') as unknown,
      warnings: (Array.isArray(warning) ? warning : [warning]).flatMap((text) =>
        splitWarnings(decoded(String(text))),
      ),
    };
  };

/** Several may come in one header. */
const splitWarnings = (text: string): readonly string[] => text.split(/, (?=299 - ")/);

/** The value is shown by the message; an error shows itself. */
export const validationOf = (expression: string, index: number, shown: string) => ({
  expression: `dyn(${expression}) == dyn(type(1))`,
  messageExpression: `"${index}: " + ${shown}`,
});

/** Ways to show a value, the most telling first. */
export const waysToShow: readonly ((expression: string) => string)[] = [
  (expression) => `"%s".format([${expression}])`,
  (expression) => `string(${expression})`,
  (expression) => `string(type(${expression}))`,
];

export const policyOf = (name: string, label: string, validations: readonly object[]) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: {
    matchConstraints: {
      objectSelector: { matchLabels: { group: label } },
      resourceRules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
      ],
    },
    validations,
  },
});

export const bindingOf = (name: string, namespace: string) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: {
    policyName: name,
    validationActions: ['Warn'],
    matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } },
  },
});

export const probeOf = (label: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'probe', labels: { group: label } },
  data: { s: 'Hello', n: '42', q: '1500m', ip: '10.1.2.3', list: 'a,b,c' },
});
