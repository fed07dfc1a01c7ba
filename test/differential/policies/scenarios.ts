/** Policies, and writes that they have something to say to. */

type Json = Readonly<Record<string, unknown>>;

export interface Scenario {
  readonly kind: 'Validating' | 'Mutating';
  readonly spec: Json;
  readonly binding?: Json;
  /** Objects that are there before. */
  readonly before?: readonly Write[];
  readonly writes: readonly Write[];
}

/** The path begins below the scenario's namespace. */
export interface Write {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  readonly type?: string;
  /** Not a path of the namespace. */
  readonly isCluster?: true;
  readonly user?: string;
}

export const rules = (resources: readonly string[], more: Json = {}) => [
  {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['CREATE', 'UPDATE'],
    resources,
    ...more,
  },
];
const on = (resources: readonly string[], more: Json = {}): Json => ({
  matchConstraints: { resourceRules: rules(resources, more) },
});

const configMap = (data: Json, more: Json = {}, path = 'configmaps?dryRun=All'): Write => ({
  method: 'POST',
  path: `/api/v1/${path}`,
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one', ...more }, data },
});
const pod = (spec: Json, more: Json = {}): Write => ({
  method: 'POST',
  path: '/api/v1/pods?dryRun=All',
  body: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'one', ...more },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  },
});
const deployment = (more: Json = {}): Write => ({
  method: 'POST',
  path: '/apis/apps/v1/deployments?dryRun=All',
  body: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'one' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      ...more,
    },
  },
});

const apply = (...expressions: readonly string[]): Json => ({
  reinvocationPolicy: 'Never',
  mutations: expressions.map((expression) => ({
    patchType: 'ApplyConfiguration',
    applyConfiguration: { expression },
  })),
});
const patch = (...expressions: readonly string[]): Json => ({
  reinvocationPolicy: 'Never',
  mutations: expressions.map((expression) => ({ patchType: 'JSONPatch', jsonPatch: { expression } })),
});
const mutating = (spec: Json, writes: readonly Write[], more: Partial<Scenario> = {}): Scenario => ({
  kind: 'Mutating',
  spec,
  writes,
  ...more,
});
const validating = (spec: Json, writes: readonly Write[], more: Partial<Scenario> = {}): Scenario => ({
  kind: 'Validating',
  spec,
  writes,
  ...more,
});
const onMaps = on(['configmaps']);
const onPods = on(['pods']);
const someMaps = [
  configMap({ a: '1' }),
  configMap({}),
  configMap({ a: '2', b: 'x' }, { labels: { l: 'm' } }),
];
const somePods = [
  pod({}),
  pod({ nodeSelector: { x: 'y' }, tolerations: [{ key: 'k' }] }, { labels: { l: 'm' } }),
];
const check = (expression: string, more: Json = {}): Json => ({ validations: [{ expression, ...more }] });
/** More than an expression may cost. */
const costly =
  '[0,1,2,3,4,5,6,7,8,9].all(a, [0,1,2,3,4,5,6,7,8,9].all(b, [0,1,2,3,4,5,6,7,8,9].all(c, [0,1,2,3,4,5,6,7,8,9].all(d, [0,1,2,3,4,5,6,7,8,9].all(e, [0,1,2,3,4,5,6,7,8,9].all(f, a+b+c+d+e+f >= 0))))))';
/** Less, but not often. */
const dear =
  '[0,1,2,3,4,5,6,7,8,9].all(a, [0,1,2,3,4,5,6,7,8,9].all(b, [0,1,2,3,4,5,6,7,8,9].all(c, [0,1,2,3,4,5,6,7,8,9].all(d, [0,1,2,3,4,5,6].all(e, a+b+c+d+e >= 0)))))';

export const scenarios: Readonly<Record<string, Scenario>> = {
  'apply to an unknown field': mutating({ ...onMaps, ...apply('Object{nope: 1}') }, someMaps),
  'apply of a wrong type': mutating({ ...onMaps, ...apply('Object{data: {"a": 1}}') }, someMaps),
  'apply of a list to a map': mutating({ ...onMaps, ...apply('Object{data: ["a"]}') }, someMaps),
  'apply of a text to a list': mutating(
    { ...onPods, ...apply('Object{spec: Object.spec{tolerations: "x"}}') },
    somePods,
  ),
  'apply of an atomic map': mutating(
    { ...onPods, ...apply('Object{spec: Object.spec{nodeSelector: {"a": "b"}}}') },
    somePods,
  ),
  'apply of an atomic list': mutating(
    { ...onPods, ...apply('Object{spec: Object.spec{tolerations: [Object.spec.tolerations{key: "a"}]}}') },
    somePods,
  ),
  'apply of two atomic parts': mutating(
    {
      ...onPods,
      ...apply('Object{spec: Object.spec{containers: [Object.spec.containers{name: "c", args: ["x"], }]}}'),
    },
    somePods,
  ),
  'apply of types with wrong names': mutating(
    { ...onPods, ...apply('Object{spec: Object.metadata{}, metadata: Object.meta{labels: Object.spec{}}}') },
    somePods,
  ),
  'apply of a list element without its key': mutating(
    { ...onPods, ...apply('Object{spec: Object.spec{containers: [Object.spec.containers{image: "x"}]}}') },
    somePods,
  ),
  'apply of a list element twice': mutating(
    {
      ...onPods,
      ...apply(
        'Object{spec: Object.spec{containers: [Object.spec.containers{name: "c"}, Object.spec.containers{name: "c"}]}}',
      ),
    },
    somePods,
  ),
  'apply of a new container': mutating(
    {
      ...onPods,
      ...apply(
        'Object{spec: Object.spec{containers: [Object.spec.containers{name: "new", image: "n"}], volumes: [Object.spec.volumes{name: "v", emptyDir: Object.spec.volumes.emptyDir{}}]}}',
      ),
    },
    somePods,
  ),
  'apply of ports and environment': mutating(
    {
      ...onPods,
      ...apply(
        'Object{spec: Object.spec{containers: [Object.spec.containers{name: "c", ports: [Object.spec.containers.ports{containerPort: 80}], env: [Object.spec.containers.env{name: "E", value: "1"}]}]}}',
      ),
    },
    somePods,
  ),
  'apply of null': mutating({ ...onMaps, ...apply('Object{data: null}') }, someMaps),
  'apply of null to a member': mutating({ ...onMaps, ...apply('Object{data: {"z": null}}') }, someMaps),
  'apply of null to a boolean': mutating({ ...onMaps, ...apply('Object{immutable: null}') }, someMaps),
  'apply of null to a list': mutating(
    { ...onPods, ...apply('Object{spec: Object.spec{containers: null}}') },
    somePods,
  ),
  'apply of null to a number': mutating(
    { ...onPods, ...apply('Object{spec: Object.spec{priority: null}}') },
    somePods,
  ),
  'apply of null to a quantity': mutating(
    {
      ...onPods,
      ...apply(
        'Object{spec: Object.spec{containers: [Object.spec.containers{name: "c", resources: Object.spec.containers.resources{limits: {"cpu": null}}}]}}',
      ),
    },
    somePods,
  ),
  'apply of optional fields': mutating(
    {
      ...onMaps,
      ...apply(
        'Object{?data: has(object.data) && "a" in object.data ? optional.of({"z": object.data.a}) : optional.none()}',
      ),
    },
    someMaps,
  ),
  'apply of a number': mutating(
    { ...on(['deployments'], { apiGroups: ['apps'] }), ...apply('Object{spec: Object.spec{replicas: 3}}') },
    [deployment(), deployment({ replicas: 1 })],
  ),
  'apply of a double': mutating(
    { ...on(['deployments'], { apiGroups: ['apps'] }), ...apply('Object{spec: Object.spec{replicas: 3.5}}') },
    [deployment()],
  ),
  'apply of a whole double': mutating(
    { ...on(['deployments'], { apiGroups: ['apps'] }), ...apply('Object{spec: Object.spec{replicas: 3.0}}') },
    [deployment()],
  ),
  'apply of int or string': mutating(
    {
      ...on(['deployments'], { apiGroups: ['apps'] }),
      ...apply(
        'Object{spec: Object.spec{strategy: Object.spec.strategy{rollingUpdate: Object.spec.strategy.rollingUpdate{maxSurge: "30%", maxUnavailable: 2}}}}',
      ),
    },
    [deployment()],
  ),
  'apply of a selector, which is atomic': mutating(
    {
      ...on(['deployments'], { apiGroups: ['apps'] }),
      ...apply('Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {"c": "d"}}}}'),
    },
    [deployment()],
  ),
  'apply of a quantity': mutating(
    {
      ...onPods,
      ...apply(
        'Object{spec: Object.spec{containers: [Object.spec.containers{name: "c", resources: Object.spec.containers.resources{limits: {"cpu": "1000m"}}}]}}',
      ),
    },
    somePods,
  ),
  'apply of kind and name': mutating(
    { ...onMaps, ...apply('Object{kind: "Secret", metadata: Object.metadata{name: "other"}}') },
    someMaps,
  ),
  'apply that fails in evaluation': mutating(
    { ...onMaps, ...apply('Object{data: {"z": object.data.nope}}') },
    someMaps,
  ),
  'apply that fails and is ignored': mutating(
    { ...onMaps, ...apply('Object{data: {"z": object.data.nope}}'), failurePolicy: 'Ignore' },
    someMaps,
  ),
  'a second mutation after one that fails': mutating(
    {
      ...onMaps,
      ...apply('Object{data: {"z": object.data.nope}}', 'Object{data: {"y": "z"}}'),
      failurePolicy: 'Ignore',
    },
    someMaps,
  ),
  'two failing mutations': mutating(
    { ...onMaps, ...apply('Object{data: {"z": object.data.nope}}', 'Object{nope: 1}') },
    someMaps,
  ),
  'mutation by the object itself': mutating(
    {
      ...onMaps,
      ...apply('Object{metadata: Object.metadata{annotations: {"was": string(object.data.size())}}}'),
    },
    someMaps,
  ),
  'mutation that costs too much': mutating(
    { ...onMaps, ...apply(`Object{data: {"z": ${costly} ? "a" : "b"}}`) },
    someMaps,
  ),
  'mutation with conditions': mutating(
    {
      ...onMaps,
      matchConditions: [{ name: 'a', expression: 'object.data.a == "1"' }],
      ...apply('Object{data: {"hit": "yes"}}'),
    },
    someMaps,
  ),
  'mutation with request and namespace': mutating(
    {
      ...onMaps,
      ...apply(
        'Object{data: {"r": request.operation + namespaceObject.metadata.name.substring(0, 2), "u": request.userInfo.username, "may": string(authorizer.requestResource.check("create").allowed())}}',
      ),
    },
    someMaps,
  ),
  'patch that adds, replaces, moves, copies and removes': mutating(
    {
      ...onMaps,
      ...patch(
        '[JSONPatch{op: "add", path: "/data/n", value: "v"}, JSONPatch{op: "copy", from: "/data/n", path: "/data/m"}, JSONPatch{op: "move", from: "/data/m", path: "/data/o"}, JSONPatch{op: "remove", path: "/data/n"}]',
      ),
    },
    someMaps,
  ),
  'patch of a missing path': mutating(
    { ...onMaps, ...patch('[JSONPatch{op: "replace", path: "/data/nope/x", value: "v"}]') },
    someMaps,
  ),
  'patch that removes what is not there': mutating(
    { ...onMaps, ...patch('[JSONPatch{op: "remove", path: "/data/nope"}]') },
    someMaps,
  ),
  'patch with an unknown operation': mutating(
    { ...onMaps, ...patch('[JSONPatch{op: "shout", path: "/data/a"}]') },
    someMaps,
  ),
  'patch without a path': mutating({ ...onMaps, ...patch('[JSONPatch{op: "add", value: "x"}]') }, someMaps),
  'patch without anything': mutating({ ...onMaps, ...patch('[JSONPatch{}]') }, someMaps),
  'patch without operations': mutating(
    { ...onMaps, ...patch('[JSONPatch{op: "test", path: "/data/a", value: "none"}]') },
    someMaps,
  ),
  'patch to an unknown field': mutating(
    { ...onMaps, ...patch('[JSONPatch{op: "add", path: "/nope", value: "x"}]') },
    someMaps,
  ),
  'patch of a wrong type': mutating(
    { ...onMaps, ...patch('[JSONPatch{op: "add", path: "/data", value: 3}]') },
    someMaps,
  ),
  'patch of a number into texts': mutating(
    { ...onMaps, ...patch('[JSONPatch{op: "add", path: "/data", value: {"a": 3}}]') },
    someMaps,
  ),
  'patch with an object': mutating(
    {
      ...onPods,
      ...patch(
        '[JSONPatch{op: "add", path: "/spec/containers/-", value: Object.spec.containers{name: "p", image: "q"}}]',
      ),
    },
    somePods,
  ),
  'patch with a misnamed object': mutating(
    {
      ...onPods,
      ...patch(
        '[JSONPatch{op: "add", path: "/spec/containers/-", value: Object.spec.containers{name: "p", image: "q", resources: Object.nope{}}}]',
      ),
    },
    somePods,
  ),
  'patch with values of all types': mutating(
    {
      ...onMaps,
      ...patch(
        '[JSONPatch{op: "add", path: "/metadata/annotations", value: {"a": string(duration("90s")), "b": string(timestamp("2020-01-01T00:00:00Z"))}}, JSONPatch{op: "add", path: "/immutable", value: true}, JSONPatch{op: "add", path: "/binaryData", value: {"x": b"abc"}}]',
      ),
    },
    someMaps,
  ),
  'patch of the whole': mutating(
    { ...onMaps, ...patch('[JSONPatch{op: "replace", path: "", value: {"data": {"only": "this"}}}]') },
    someMaps,
  ),
  'patch with a wrong type at run time': mutating(
    { ...onMaps, ...patch('[JSONPatch{op: dyn(1), path: "/data/a"}]') },
    someMaps,
  ),
  'patch with keys that are escaped': mutating(
    {
      ...onMaps,
      ...patch('[JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey("a~b.c_d"), value: "v"}]'),
    },
    someMaps,
  ),
  'patches that are reinvoked': mutating(
    {
      ...onMaps,
      ...patch('[JSONPatch{op: "add", path: "/data/n" + string(object.data.size()), value: "v"}]'),
      reinvocationPolicy: 'IfNeeded',
    },
    someMaps,
  ),
  'mutation on update': mutating(
    {
      ...onMaps,
      ...apply('Object{data: {"old": oldObject == null ? "none" : string(oldObject.data.size())}}'),
    },
    [
      configMap({ a: '1' }, {}, 'configmaps'),
      {
        method: 'PATCH',
        path: '/api/v1/configmaps/one',
        type: 'application/merge-patch+json',
        body: { data: { b: '2' } },
      },
      {
        method: 'PATCH',
        path: '/api/v1/configmaps/one?fieldManager=me&force=true',
        type: 'application/apply-patch+yaml',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' }, data: { c: '3' } },
      },
      { method: 'DELETE', path: '/api/v1/configmaps/one' },
    ],
  ),
  'an expression that costs too much': validating({ ...onMaps, ...check(costly) }, someMaps),
  'expressions that together cost too much': validating(
    {
      ...onMaps,
      validations: Array.from({ length: 30 }, (_, at) => ({ expression: `${dear} && ${at} >= 0` })),
    },
    someMaps,
  ),
  'a message that costs too much': validating(
    { ...onMaps, ...check('false', { messageExpression: `${costly} ? "a" : "b"` }) },
    someMaps,
  ),
  'variables that cost too much': validating(
    { ...onMaps, variables: [{ name: 'v', expression: costly }], ...check('variables.v') },
    someMaps,
  ),
  'variables that fail': validating(
    {
      ...onMaps,
      variables: [
        { name: 'v', expression: 'object.data.nope' },
        { name: 'w', expression: 'variables.v + "x"' },
      ],
      ...check('variables.w == "x"', { messageExpression: 'variables.w' }),
    },
    someMaps,
  ),
  'presence of variables': validating(
    {
      ...onMaps,
      variables: [{ name: 'v', expression: 'object.data.a' }],
      ...check('has(variables.v) && variables.v == "1"', { messageExpression: 'string(has(variables.v))' }),
    },
    someMaps,
  ),
  'conditions that cost too much': validating(
    {
      ...onMaps,
      matchConditions: Array.from({ length: 6 }, (_, at) => ({
        name: `c${at}`,
        expression: `${dear} && ${at} >= 0`,
      })),
      ...check('false'),
    },
    someMaps,
  ),
  'two conditions that fail': validating(
    {
      ...onMaps,
      matchConditions: [
        { name: 'a', expression: 'object.data.x == "1"' },
        { name: 'b', expression: 'object.data.y == "1"' },
      ],
      ...check('false'),
    },
    someMaps,
  ),
  'a condition that is false and one that fails': validating(
    {
      ...onMaps,
      matchConditions: [
        { name: 'a', expression: 'object.data.x == "1"' },
        { name: 'b', expression: 'false' },
      ],
      ...check('false'),
    },
    someMaps,
  ),
  'conditions with the namespace': validating(
    {
      ...onMaps,
      matchConditions: [{ name: 'a', expression: 'namespaceObject == null' }],
      ...check('false', { messageExpression: 'string(namespaceObject == null)' }),
    },
    someMaps,
  ),
  'failures that are ignored': validating(
    {
      ...onMaps,
      failurePolicy: 'Ignore',
      validations: [
        { expression: 'object.data.x == "1"' },
        { expression: 'has(object.data) && !("b" in object.data)', message: 'b' },
      ],
    },
    someMaps,
  ),
  'an annotation that fails': validating(
    { ...onMaps, ...check('true'), auditAnnotations: [{ key: 'k', valueExpression: 'object.data.nope' }] },
    someMaps,
  ),
  'an annotation that asks the authorizer': validating(
    {
      ...onMaps,
      ...check('true'),
      auditAnnotations: [
        { key: 'k', valueExpression: 'authorizer.path("/x").check("get").allowed() ? "a" : "b"' },
      ],
    },
    someMaps,
  ),
  'a long message': validating(
    {
      ...onMaps,
      ...check('false', {
        message: 'short',
        messageExpression:
          '"x".replace("x", "0123456789").replace("0", "0123456789012345678901234567890123456789").split("").map(c, "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789").join("")',
      }),
    },
    someMaps,
  ),
  'warnings of several kinds': validating(
    {
      ...onMaps,
      validations: [
        { expression: 'false', message: 'one', reason: 'Forbidden' },
        { expression: 'object.data.x == "1"' },
        { expression: 'false', messageExpression: '"two " + object.data.a' },
      ],
    },
    someMaps,
    { binding: { validationActions: ['Warn', 'Audit'] } },
  ),
  'denied and warned of': validating(
    { ...onMaps, ...check('false', { message: 'both', reason: 'RequestEntityTooLarge' }) },
    someMaps,
    { binding: { validationActions: ['Deny', 'Audit'] } },
  ),
  'parameters by selector': validating(
    {
      ...onPods,
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      ...check('object.metadata.name.size() > int(params.data.min)', {
        messageExpression: 'params.metadata.name + params.kind + params.apiVersion',
      }),
    },
    somePods,
    {
      before: [
        configMap({ min: '1' }, { name: 'p1', labels: { p: 'q' } }, 'configmaps'),
        configMap({ min: '5' }, { name: 'p2', labels: { p: 'q' } }, 'configmaps'),
        configMap({ min: '9' }, { name: 'p3' }, 'configmaps'),
      ],
      binding: { paramRef: { selector: { matchLabels: { p: 'q' } }, parameterNotFoundAction: 'Deny' } },
    },
  ),
  'parameters that no selector finds': validating(
    { ...onPods, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, ...check('false') },
    somePods,
    { binding: { paramRef: { selector: { matchLabels: { p: 'q' } }, parameterNotFoundAction: 'Allow' } } },
  ),
  'parameters that the binding does not name': validating(
    {
      ...onPods,
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      ...check('params != null', { message: 'no params' }),
    },
    somePods,
  ),
  'a namespace for parameters of the cluster': validating(
    { ...onPods, paramKind: { apiVersion: 'v1', kind: 'Node' }, ...check('true') },
    somePods,
    { binding: { paramRef: { name: 'n', namespace: 'x', parameterNotFoundAction: 'Allow' } } },
  ),
  'parameters in another version': validating(
    {
      ...onPods,
      paramKind: { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler' },
      ...check('false', {
        messageExpression:
          'params.apiVersion + string(params.spec.maxReplicas) + string(has(params.spec.targetCPUUtilizationPercentage))',
      }),
    },
    somePods,
    {
      before: [
        {
          method: 'POST',
          path: '/apis/autoscaling/v2/horizontalpodautoscalers',
          body: {
            metadata: { name: 'h' },
            spec: {
              maxReplicas: 3,
              scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
              metrics: [
                {
                  type: 'Resource',
                  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
                },
              ],
            },
          },
        },
      ],
      binding: { paramRef: { name: 'h', parameterNotFoundAction: 'Deny' } },
    },
  ),
  'another version than the request': validating(
    {
      matchConstraints: {
        resourceRules: rules(['horizontalpodautoscalers'], {
          apiGroups: ['autoscaling'],
          apiVersions: ['v1'],
        }),
      },
      ...check('false', {
        messageExpression:
          '[object.apiVersion, request.kind.version, request.requestKind.version, request.resource.version, request.requestResource.version, string(has(object.spec.targetCPUUtilizationPercentage))].join("|")',
      }),
    },
    [
      {
        method: 'POST',
        path: '/apis/autoscaling/v2/horizontalpodautoscalers?dryRun=All',
        body: {
          metadata: { name: 'h' },
          spec: {
            maxReplicas: 3,
            scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
            metrics: [
              {
                type: 'Resource',
                resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
              },
            ],
          },
        },
      },
    ],
  ),
  'exactly another version': validating(
    {
      matchConstraints: {
        matchPolicy: 'Exact',
        resourceRules: rules(['horizontalpodautoscalers'], {
          apiGroups: ['autoscaling'],
          apiVersions: ['v1'],
        }),
      },
      ...check('false'),
    },
    [
      {
        method: 'POST',
        path: '/apis/autoscaling/v2/horizontalpodautoscalers?dryRun=All',
        body: {
          metadata: { name: 'h' },
          spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
        },
      },
    ],
  ),
  'mutation in another version': mutating(
    {
      matchConstraints: {
        resourceRules: rules(['horizontalpodautoscalers'], {
          apiGroups: ['autoscaling'],
          apiVersions: ['v1'],
        }),
      },
      ...apply('Object{spec: Object.spec{minReplicas: 2, targetCPUUtilizationPercentage: 70}}'),
    },
    [
      {
        method: 'POST',
        path: '/apis/autoscaling/v2/horizontalpodautoscalers?dryRun=All',
        body: {
          metadata: { name: 'h' },
          spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
        },
      },
    ],
  ),
  'request of a subresource': validating(
    {
      ...on(['serviceaccounts/token', 'pods/status', 'deployments/scale'], {
        apiGroups: ['*'],
        apiVersions: ['*'],
        operations: ['*'],
      }),
      ...check('false', {
        messageExpression:
          '[request.subResource, request.kind.kind, request.requestKind.kind, request.name, request.operation, string(object == null), object.kind].join("|")',
      }),
    },
    [
      {
        method: 'POST',
        path: '/api/v1/serviceaccounts/one/token',
        body: {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          metadata: {},
          spec: { audiences: ['x'] },
        },
      },
    ],
    { before: [{ method: 'POST', path: '/api/v1/serviceaccounts', body: { metadata: { name: 'one' } } }] },
  ),
  'generated names': validating(
    {
      ...onMaps,
      ...check('false', {
        messageExpression:
          '"[" + (has(request.name) ? request.name.substring(0, 4) : "none") + "][" + object.metadata.?name.orValue("none").substring(0, 2) + "]"',
      }),
    },
    [configMap({}, { name: undefined, generateName: 'gen-' })],
  ),
  'a label selector and resource names': validating(
    {
      matchConstraints: {
        objectSelector: { matchExpressions: [{ key: 'l', operator: 'Exists' }] },
        resourceRules: rules(['configmaps'], { resourceNames: ['one'] }),
      },
      ...check('false', { message: 'found' }),
    },
    someMaps,
  ),
};
