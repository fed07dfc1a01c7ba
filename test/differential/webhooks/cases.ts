/** The configurations of the scripted webhooks, and what is asked of the servers that have them. */
import { mutatingAnswers, validatingAnswers } from './answers.ts';

export interface Question {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
}

export interface ConfigurationContext {
  readonly namespace: string;
  /** With the side's part of the path. */
  readonly url: string;
  readonly ca: string;
}

interface Configured {
  readonly path: string;
  readonly body: { readonly metadata: { readonly name: string }; readonly webhooks: readonly object[] };
}

const collections = {
  validating: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
  mutating: '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
};

/** Every webhook is asked about objects that have its name as their label. */
const labelled = (name: string) => ({ matchLabels: { hook: name } });

const everything = (operations = ['*']) => [
  { apiGroups: ['*'], apiVersions: ['*'], operations, resources: ['*/*'] },
];

/** All answers are tried in v1, and again in v1beta1. */
export function configurations({ namespace, url, ca }: ConfigurationContext): readonly Configured[] {
  const common = {
    sideEffects: 'None',
    timeoutSeconds: 1,
    admissionReviewVersions: ['v1'],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    rules: everything(),
  };
  const hook = (name: string, path: string, more: object = {}) => ({
    ...common,
    name: `${name}.hooks.test`,
    clientConfig: { url: `${url}/${path}`, ...(ca && { caBundle: ca }) },
    objectSelector: labelled(name),
    ...more,
  });
  const inEachVersion = (names: readonly string[]) =>
    names.flatMap((name) => [
      hook(name, name),
      hook(`${name}-old`, name, { admissionReviewVersions: ['v9', 'v1beta1', 'v1'] }),
      hook(`${name}-open`, name, { failurePolicy: 'Ignore' }),
    ]);
  const client = (config: object) => ({ clientConfig: config });
  const condition = (expression: string) => ({ matchConditions: [{ name: 'c', expression }] });
  const validating = [
    ...inEachVersion(Object.keys(validatingAnswers)),
    hook('refused', 'x', client({ url: 'https://127.0.0.1:1/x' })),
    hook('refused-path', 'x', client({ url: 'https://127.0.0.1:1/a//b/../c/' })),
    hook('no-bundle', 'allow', client({ url: `${url}/allow` })),
    hook('by-name', 'allow', client({ url: `${url.replace('127.0.0.1', 'localhost')}/allow`, caBundle: ca })),
    hook('no-service', 'x', client({ service: { namespace, name: 'none', path: '/x' } })),
    hook('service-port', 'x', client({ service: { namespace, name: 'there', port: 7 } })),
    hook('headless', 'x', client({ service: { namespace, name: 'headless', port: 80 } })),
    hook('side-effects', 'allow', { sideEffects: 'NoneOnDryRun' }),
    hook('condition-true', 'deny', condition('request.operation == "CREATE" && object.data.k == "v"')),
    hook('condition-false', 'deny', condition('has(object.spec)')),
    hook('condition-error', 'deny', condition('object.spec.x == 1')),
    hook('condition-error-open', 'deny', { ...condition('object.spec.x == 1'), failurePolicy: 'Ignore' }),
    hook(
      'condition-authorizer',
      'deny',
      condition('authorizer.group("").resource("pods").namespace("default").check("create").allowed()'),
    ),
    hook(
      'condition-requester',
      'deny',
      condition(
        'authorizer.requestResource.check("update").allowed() && request.userInfo.username == "admin"',
      ),
    ),
    hook(
      'condition-request',
      'deny',
      condition(
        'request.kind.kind == "ConfigMap" && request.resource.resource == "configmaps" && request.name != "" && request.namespace.startsWith("hooks") && !has(request.subResource) && request.dryRun && request.options.dryRun == ["All"] && oldObject == null',
      ),
    ),
    hook('conditions-mixed', 'deny', {
      matchConditions: [
        { name: 'a', expression: 'object.spec.x == 1' },
        { name: 'b', expression: 'object.spec.y == 2' },
        { name: 'c', expression: 'true' },
      ],
    }),
    hook(
      'condition-costly',
      'deny',
      condition(
        '"a".matches("a") && [1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, [1,2,3,4,5,6,7,8,9,10].all(f, a + b + c + d + e + f > 0))))))',
      ),
    ),
    hook('exact', 'deny', {
      matchPolicy: 'Exact',
      rules: [{ apiGroups: ['autoscaling'], apiVersions: ['v1'], operations: ['*'], resources: ['*'] }],
    }),
    hook('equivalent', 'allow-warned', {
      rules: [
        {
          apiGroups: ['autoscaling', 'events.k8s.io'],
          apiVersions: ['v1'],
          operations: ['*'],
          resources: ['*/*'],
        },
      ],
    }),
    hook('cluster-scope', 'deny', { rules: [{ ...everything()[0], scope: 'Cluster' }] }),
    hook('namespaced-scope', 'deny', { rules: [{ ...everything()[0], scope: 'Namespaced' }] }),
  ];
  const mutating = [
    ...inEachVersion(Object.keys(mutatingAnswers)),
    hook('chain-1', 'm-warned', { objectSelector: labelled('chain'), reinvocationPolicy: 'IfNeeded' }),
    hook('chain-2', 'm-add', { objectSelector: labelled('chain') }),
    hook('chain-3', 'm-move', { objectSelector: labelled('chain') }),
    hook('equivalent-m', 'm-spec', {
      rules: [{ apiGroups: ['autoscaling'], apiVersions: ['v1'], operations: ['*'], resources: ['*'] }],
    }),
  ];
  return [
    configuration('validating', `${namespace}-v`, validating),
    configuration('mutating', `${namespace}-m`, mutating),
  ];
}

const configuration = (
  kind: keyof typeof collections,
  name: string,
  webhooks: readonly object[],
): Configured => ({ path: collections[kind], body: { metadata: { name }, webhooks } });

/** What is asked: a write of a labelled object for every webhook, then writes of all sorts for some. */
export function questions(namespace: string): readonly Question[] {
  const base = `/api/v1/namespaces/${namespace}`;
  const configMap = (hook: string, more: object = {}) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: hook, labels: { hook } },
    data: { k: 'v' },
    ...more,
  });
  const dry = (name: string): Question => ({
    name,
    method: 'POST',
    path: `${base}/configmaps?dryRun=All`,
    body: configMap(name),
  });
  const answers = [...Object.keys(validatingAnswers), ...Object.keys(mutatingAnswers)];
  const others = [
    'refused',
    'refused-path',
    'no-bundle',
    'by-name',
    'no-service',
    'side-effects',
    'condition-true',
    'condition-false',
    'condition-error',
    'condition-error-open',
    'chain',
    'condition-authorizer',
    'condition-requester',
    'condition-request',
    'conditions-mixed',
    'condition-costly',
    'cluster-scope',
    'namespaced-scope',
  ];
  return [
    ...answers.flatMap((name) => [dry(name), dry(`${name}-old`), dry(`${name}-open`)]),
    ...others.map(dry),
    ...writes(namespace),
  ];
}

/** Seen by `allow`, so that only what the webhook gets and that it is called at all are at stake. */
function writes(namespace: string): readonly Question[] {
  const base = `/api/v1/namespaces/${namespace}`;
  const labels = { hook: 'allow' };
  const meta = (name: string, more: object = {}) => ({ name, labels, ...more });
  const template = {
    metadata: { labels: { a: 'b' } },
    spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }] },
  };
  const pod = { metadata: meta('p'), spec: { ...template.spec, nodeName: 'none' } };
  const deployment = {
    metadata: meta('d'),
    spec: { replicas: 1, selector: { matchLabels: { a: 'b' } }, template },
  };
  const merge = 'application/merge-patch+json';
  const apply = 'application/apply-patch+yaml';
  const write = (name: string, method: string, path: string, body?: unknown, type?: string): Question => ({
    name: `write ${name}`,
    method,
    path,
    ...(body !== undefined && { body }),
    ...(type !== undefined && { type }),
  });
  const apps = `/apis/apps/v1/namespaces/${namespace}`;
  const autoscaler = (version: string, hook: string, spec: object) =>
    write(
      `autoscaler ${version} ${hook}`,
      'POST',
      `/apis/autoscaling/${version}/namespaces/${namespace}/horizontalpodautoscalers?dryRun=All`,
      {
        metadata: { name: 'h', labels: { hook } },
        spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' }, ...spec },
      },
    );
  const metrics = {
    metrics: [
      {
        type: 'Resource',
        resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 5 } },
      },
    ],
  };
  const pick = { metadata: meta('c'), data: { k: 'v' } };
  return [
    write('create', 'POST', `${base}/configmaps?fieldManager=me&fieldValidation=Strict&pretty=true`, pick),
    write('create-generated', 'POST', `${base}/configmaps?dryRun=All`, {
      metadata: { generateName: 'g-', labels },
    }),
    write('put', 'PUT', `${base}/configmaps/c?fieldValidation=Warn`, {
      ...pick,
      data: { k: '<w> & "é" \u2028' },
    }),
    write('merge', 'PATCH', `${base}/configmaps/c?fieldManager=p`, { data: { l: 'x' } }, merge),
    write(
      'apply',
      'PATCH',
      `${base}/configmaps/c?fieldManager=a&force=true`,
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: meta('c'),
        data: { m: 'y' },
      },
      apply,
    ),
    write(
      'apply-creates',
      'PATCH',
      `${base}/configmaps/e?fieldManager=a`,
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: meta('e'),
        data: { m: 'y' },
      },
      apply,
    ),
    write('delete-dry', 'DELETE', `${base}/configmaps/c?dryRun=All`),
    write('delete-body', 'DELETE', `${base}/configmaps/c`, {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      gracePeriodSeconds: 5,
      orphanDependents: false,
    }),
    write('delete-query', 'DELETE', `${base}/configmaps/e?propagationPolicy=Foreground&gracePeriodSeconds=0`),
    write('pod', 'POST', `${base}/pods`, pod),
    write(
      'pod-exec',
      'POST',
      `${base}/pods/p/exec?command=a&command=b&stdin=true&stdout=1&stderr=false&tty=&container=c`,
    ),
    write('pod-status', 'PATCH', `${base}/pods/p/status`, { status: { phase: 'Running' } }, merge),
    write(
      'pod-ephemeral',
      'PATCH',
      `${base}/pods/p/ephemeralcontainers`,
      {
        spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] },
      },
      'application/strategic-merge-patch+json',
    ),
    write('pod-eviction', 'POST', `${base}/pods/p/eviction?dryRun=All`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: meta('p'),
      deleteOptions: { gracePeriodSeconds: 3 },
    }),
    write('pod-eviction-old', 'POST', `${base}/pods/p/eviction?dryRun=All`, {
      apiVersion: 'policy/v1beta1',
      kind: 'Eviction',
      metadata: meta('p'),
    }),
    write('pod-delete', 'DELETE', `${base}/pods/p`),
    write('pod-binding', 'POST', `${base}/pods/p/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: meta('p'),
      target: { kind: 'Node', name: 'n' },
    }),
    write('deployment', 'POST', `${apps}/deployments`, deployment),
    write('deployment-scale', 'PUT', `${apps}/deployments/d/scale`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: meta('d', { namespace }),
      spec: { replicas: 4 },
    }),
    write('deployment-status', 'PATCH', `${apps}/deployments/d/status`, { status: { replicas: 1 } }, merge),
    write('deployment-delete', 'DELETE', `${apps}/deployments/d`),
    write('service', 'POST', `${base}/services?dryRun=All`, {
      metadata: meta('s'),
      spec: { ports: [{ port: 80 }], clusterIP: 'None' },
    }),
    write('secret', 'POST', `${base}/secrets?dryRun=All`, { metadata: meta('s'), stringData: { a: 'b' } }),
    write('job', 'POST', `/apis/batch/v1/namespaces/${namespace}/jobs?dryRun=All`, {
      metadata: meta('j'),
      spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } },
    }),
    write('role', 'POST', `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles?dryRun=All`, {
      metadata: meta('r'),
      rules: [],
    }),
    write('event', 'POST', `${base}/events?dryRun=All`, {
      metadata: meta('ev', { namespace }),
      involvedObject: { namespace },
      type: 'Normal',
      reason: 'r',
    }),
    write('event-equivalent', 'POST', `${base}/events?dryRun=All`, {
      metadata: { name: 'eq', namespace, labels: { hook: 'equivalent' } },
      involvedObject: { namespace },
      type: 'Normal',
      reason: 'r',
      message: 'm',
      count: 2,
    }),
    write('service-account', 'POST', `${base}/serviceaccounts`, { metadata: meta('sa') }),
    write('token', 'POST', `${base}/serviceaccounts/sa/token?dryRun=All`, {
      metadata: meta('sa'),
      spec: { audiences: ['a'] },
    }),
    write(
      'namespace',
      'PATCH',
      `/api/v1/namespaces/${namespace}?dryRun=All`,
      { metadata: { labels } },
      merge,
    ),
    autoscaler('v2', 'exact', metrics),
    autoscaler('v1', 'exact', {}),
    autoscaler('v2', 'equivalent', metrics),
    autoscaler('v1', 'equivalent', {}),
    autoscaler('v2', 'equivalent-m', metrics),
    write('collection', 'DELETE', `${base}/configmaps?labelSelector=hook%3Dallow`),
    write('own-configuration', 'POST', `${collections.validating}?dryRun=All`, { metadata: meta('own') }),
  ];
}
