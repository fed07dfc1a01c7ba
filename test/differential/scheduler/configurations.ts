/** Configurations of a scheduler, right and wrong ones, by what is special about them. */

const header = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';

/** JSON is YAML, and shorter. */
const configuration = (body: object): string => `${header}${bodyText(body)}`;

const bodyText = (body: object): string =>
  Object.entries(body)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join('');

const profile = (body: object): string => configuration({ profiles: [body] });
const plugins = (body: object): string => profile({ plugins: body });
const args = (name: string, value: unknown): string => profile({ pluginConfig: [{ name, args: value }] });
const fit = (strategy: object): string => args('NodeResourcesFit', { scoringStrategy: strategy });
const extender = (...extenders: readonly object[]): string =>
  configuration({ extenders: extenders.map((one) => ({ urlPrefix: 'http://127.0.0.1:1/', ...one })) });

export const configurations: Readonly<Record<string, string>> = {
  ...documents(),
  ...programs(),
  ...profiles(),
  ...pluginSets(),
  ...pluginArgs(),
  ...extenders(),
};

function documents(): Record<string, string> {
  return {
    'nothing but the kind': header,
    'no document at all': '',
    'no kind': 'apiVersion: kubescheduler.config.k8s.io/v1\n',
    'no version': 'kind: KubeSchedulerConfiguration\n',
    'version v1beta3': header.replace('/v1\n', '/v1beta3\n'),
    'version v1alpha1': header.replace('/v1\n', '/v1alpha1\n'),
    'another kind': 'apiVersion: v1\nkind: Pod\n',
    'another kind of the group': 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: NodeResourcesFitArgs\n',
    'a list': '- 1\n',
    'broken YAML': `${header}a: [\n`,
    'a field nobody knows': configuration({ foo: 1 }),
    'fields nobody knows, deep': configuration({
      zoo: 1,
      profiles: [{ bar: {}, plugins: { sore: {} }, pluginConfig: [{ nam: 'x' }] }],
      leaderElection: { lease: '1s' },
    }),
    'a field twice': `${header}parallelism: 3\nparallelism: 4\n`,
    'a text for a number': configuration({ parallelism: 'many' }),
    'a number for a list': configuration({ profiles: 3 }),
    'a fraction': configuration({ percentageOfNodesToScore: 1.5 }),
    'too large a number': configuration({ parallelism: 99999999999 }),
    nulls: configuration({ profiles: null, extenders: null, parallelism: null }),
  };
}

function programs(): Record<string, string> {
  const elects = (leaderElection: object) => configuration({ leaderElection });
  return {
    'parallelism 0': configuration({ parallelism: 0 }),
    'parallelism 4': configuration({ parallelism: 4 }),
    'percentage 101': configuration({ percentageOfNodesToScore: 101 }),
    'percentage -1': configuration({ percentageOfNodesToScore: -1 }),
    'percentage 100': configuration({ percentageOfNodesToScore: 100 }),
    'no first back-off': configuration({ podInitialBackoffSeconds: 0 }),
    'a longest back-off below the first': configuration({ podInitialBackoffSeconds: 20 }),
    'back-offs': configuration({ podInitialBackoffSeconds: 2, podMaxBackoffSeconds: 3 }),
    'negative back-offs': configuration({ podInitialBackoffSeconds: -1, podMaxBackoffSeconds: -2 }),
    'no election': elects({ leaderElect: false }),
    'a lease as short as its renewal': elects({ leaseDuration: '10s', renewDeadline: '10s' }),
    'negative times of a lease': elects({ leaseDuration: '-1s', renewDeadline: '-2s', retryPeriod: '-3s' }),
    'a lock of endpoints': elects({ resourceLock: 'endpointsleases' }),
    'a lock of endpoints without election': elects({ resourceLock: 'endpoints', leaderElect: false }),
    'a lease by another name': elects({
      resourceName: 'mine',
      resourceNamespace: 'here',
      retryPeriod: '1500ms',
    }),
    'no duration': elects({ leaseDuration: 'soon' }),
    'a negative burst': configuration({ clientConnection: { burst: -1 } }),
    'requests a second': configuration({
      clientConnection: { qps: 12.5, burst: 7, acceptContentTypes: 'a/b' },
    }),
    'no profiling': configuration({ enableProfiling: false }),
    'no profiling of contention': configuration({ enableContentionProfiling: false }),
    'a late cache': configuration({ delayCacheUntilActive: true }),
    'several mistakes': configuration({
      parallelism: -1,
      percentageOfNodesToScore: 200,
      podInitialBackoffSeconds: -1,
      profiles: [{}, { percentageOfNodesToScore: -3 }],
      extenders: [{ urlPrefix: 'x', prioritizeVerb: 'p' }],
    }),
  };
}

function profiles(): Record<string, string> {
  const named = (...names: readonly string[]) => names.map((schedulerName) => ({ schedulerName }));
  return {
    'no profile': configuration({ profiles: [] }),
    'an empty profile': profile({}),
    'two profiles': configuration({ profiles: named('a', 'b') }),
    'two profiles of one name': configuration({ profiles: named('a', 'b', 'a', 'a') }),
    'two profiles without a name': configuration({ profiles: [{}, {}] }),
    'an empty name': configuration({ profiles: named('') }),
    'a percentage of its own': profile({ percentageOfNodesToScore: 33 }),
    'a percentage out of range': profile({ percentageOfNodesToScore: 101 }),
    'other orders of queues': configuration({
      profiles: [
        { schedulerName: 'a' },
        { schedulerName: 'b', plugins: { queueSort: { disabled: [{ name: '*' }] } } },
      ],
    }),
    'the same arguments twice': profile({
      pluginConfig: [
        { name: 'InterPodAffinity', args: { hardPodAffinityWeight: 5 } },
        { name: 'InterPodAffinity', args: { hardPodAffinityWeight: 6 } },
      ],
    }),
  };
}

function pluginSets(): Record<string, string> {
  const enabled = (...names: readonly string[]) => ({ enabled: names.map((name) => ({ name })) });
  const disabled = (...names: readonly string[]) => ({ disabled: names.map((name) => ({ name })) });
  return {
    'a plugin nobody knows': plugins({ score: enabled('Nope') }),
    'a plugin nobody knows, everywhere': plugins({ multiPoint: enabled('Nope') }),
    'a plugin nobody knows, switched off': plugins({ score: disabled('Nope') }),
    'a plugin that is no more': plugins({ filter: enabled('EBSLimits') }),
    'arguments of a plugin that is no more': args('CinderLimits', {}),
    'a plugin where it can do nothing': plugins({ score: enabled('NodeName') }),
    'a plugin twice': plugins({ score: enabled('ImageLocality', 'ImageLocality') }),
    'a plugin twice, everywhere': plugins({ multiPoint: enabled('ImageLocality', 'ImageLocality') }),
    'a plugin at its point and everywhere': plugins({ score: enabled('ImageLocality') }),
    'a plugin first at its point': plugins({ filter: enabled('VolumeZone', 'NodePorts') }),
    'no scores': plugins({ score: disabled('*') }),
    'one score': plugins({ score: { ...disabled('*'), enabled: [{ name: 'NodeResourcesFit', weight: 7 }] } }),
    'another weight': plugins({ score: { enabled: [{ name: 'ImageLocality', weight: 7 }] } }),
    'another weight, everywhere': plugins({
      multiPoint: { enabled: [{ name: 'ImageLocality', weight: 7 }] },
    }),
    'a negative weight': plugins({ score: { enabled: [{ name: 'ImageLocality', weight: -1 }] } }),
    'too large a weight': plugins({ score: { enabled: [{ name: 'ImageLocality', weight: 2147483647 }] } }),
    'too large weights together': plugins({
      score: {
        enabled: ['ImageLocality', 'NodeAffinity', 'InterPodAffinity'].map((name) => ({
          name,
          weight: 2147483647,
        })),
      },
    }),
    'a weight where nothing is scored': plugins({ filter: { enabled: [{ name: 'NodePorts', weight: 7 }] } }),
    'no binder': plugins({ bind: disabled('*') }),
    'no binder, everywhere': plugins({ multiPoint: disabled('DefaultBinder') }),
    'no order of the queue': plugins({ queueSort: disabled('*') }),
    'two orders of the queue': plugins({ queueSort: enabled('PrioritySort', 'NodeName') }),
    'no plugins': plugins({ multiPoint: disabled('*') }),
    'only what is needed': plugins({
      multiPoint: { ...disabled('*'), ...enabled('PrioritySort', 'DefaultBinder') },
    }),
    'no preemption': plugins({ postFilter: disabled('DefaultPreemption') }),
    'everything off and one on at a point': plugins({
      filter: { ...disabled('*'), ...enabled('NodeName') },
    }),
    'switched off everywhere, on at a point': plugins({
      multiPoint: disabled('NodeResourcesFit'),
      filter: enabled('NodeResourcesFit'),
    }),
    'a point nobody knows': plugins({ unreserve: enabled('NodeName') }),
    'a plugin off at its point, on everywhere': plugins({
      multiPoint: enabled('NodePorts'),
      filter: disabled('NodePorts'),
    }),
    'a plugin of a gate that is closed': plugins({ multiPoint: enabled('GangScheduling') }),
  };
}

function pluginArgs(): Record<string, string> {
  const shape = (...points: readonly (readonly [number, number])[]) => ({
    type: 'RequestedToCapacityRatio',
    requestedToCapacityRatio: { shape: points.map(([utilization, score]) => ({ utilization, score })) },
  });
  const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' };
  const list = (...defaultConstraints: readonly object[]) =>
    args('PodTopologySpread', { defaultingType: 'List', defaultConstraints });
  const affinity = (addedAffinity: object) => args('NodeAffinity', { addedAffinity });
  const required = (...nodeSelectorTerms: readonly object[]) =>
    affinity({ requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } });
  return {
    'arguments with a field nobody knows': args('NodeResourcesFit', { foo: 1 }),
    'fields nobody knows, in several arguments': profile({
      foo: 1,
      pluginConfig: [
        { name: 'NodeResourcesFit', args: { foo: 1 } },
        { name: 'VolumeBinding', args: { bar: 1 } },
      ],
    }),
    'arguments of the wrong type': args('NodeResourcesFit', { ignoredResources: 3 }),
    'arguments that are a text': args('NodeResourcesFit', 'x'),
    'no arguments': profile({ pluginConfig: [{ name: 'NodeResourcesFit' }] }),
    'null arguments': args('NodeResourcesFit', null),
    'arguments of another kind': args('NodeResourcesFit', {
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'InterPodAffinityArgs',
    }),
    'arguments with their kind': args('NodeResourcesFit', {
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'NodeResourcesFitArgs',
    }),
    'arguments of another version': args('NodeResourcesFit', {
      apiVersion: 'kubescheduler.config.k8s.io/v1beta3',
      kind: 'NodeResourcesFitArgs',
    }),
    'arguments of a plugin nobody knows': args('Mine', { any: 'thing' }),
    'arguments of a plugin that takes none': args('NodeName', { any: 'thing' }),
    'arguments of a plugin that is off': profile({
      plugins: { multiPoint: { disabled: [{ name: 'InterPodAffinity' }] } },
      pluginConfig: [{ name: 'InterPodAffinity', args: { hardPodAffinityWeight: 7 } }],
    }),
    'preemption 0 and 0': args('DefaultPreemption', {
      minCandidateNodesPercentage: 0,
      minCandidateNodesAbsolute: 0,
    }),
    'preemption out of range': args('DefaultPreemption', {
      minCandidateNodesPercentage: 101,
      minCandidateNodesAbsolute: -1,
    }),
    preemption: args('DefaultPreemption', { minCandidateNodesPercentage: 20 }),
    'hard affinity 100': args('InterPodAffinity', { hardPodAffinityWeight: 100 }),
    'hard affinity 101': args('InterPodAffinity', { hardPodAffinityWeight: 101 }),
    'hard affinity -1': args('InterPodAffinity', { hardPodAffinityWeight: -1 }),
    'no terms of others': args('InterPodAffinity', { ignorePreferredTermsOfExistingPods: true }),
    'ignored resources': args('NodeResourcesFit', {
      ignoredResources: ['example.com/a', 'b'],
      ignoredResourceGroups: ['example.com'],
    }),
    'ignored resources by bad names': args('NodeResourcesFit', {
      ignoredResources: ['a b', 'a/b/c'],
      ignoredResourceGroups: ['example.com/a', '-'],
    }),
    'most allocated': fit({ type: 'MostAllocated' }),
    'weights of resources': fit({
      type: 'MostAllocated',
      resources: [{ name: 'cpu' }, { name: 'example.com/a', weight: 100 }],
    }),
    'weights of resources out of range': fit({
      type: 'LeastAllocated',
      resources: [
        { name: 'cpu', weight: 101 },
        { name: 'memory', weight: -1 },
      ],
    }),
    'a strategy nobody knows': fit({ type: 'Fancy' }),
    'a strategy without a type': fit({ resources: [{ name: 'cpu', weight: 1 }] }),
    'a shape': fit(shape([0, 0], [100, 10])),
    'a shape without points': fit(shape()),
    'no shape': fit({ type: 'RequestedToCapacityRatio' }),
    'a shape of another strategy': fit({ ...shape([0, 0]), type: 'LeastAllocated' }),
    'a shape out of order': fit(shape([50, 0], [50, 1], [40, 2])),
    'a shape out of range': fit(shape([-1, 0], [50, 11], [101, -1])),
    'balance of more': args('NodeResourcesBalancedAllocation', {
      resources: [{ name: 'cpu' }, { name: 'example.com/a', weight: 1 }],
    }),
    'balance by weights': args('NodeResourcesBalancedAllocation', {
      resources: [
        { name: 'cpu', weight: 2 },
        { name: 'cpu', weight: 1 },
      ],
    }),
    'spreading by a list': list(constraint),
    'spreading by an empty list': list(),
    'spreading by the system, with a list': args('PodTopologySpread', {
      defaultingType: 'System',
      defaultConstraints: [constraint],
    }),
    'a list without its type': args('PodTopologySpread', { defaultConstraints: [constraint] }),
    'spreading by somebody': args('PodTopologySpread', { defaultingType: 'Mine' }),
    'a constraint twice': list(constraint, { ...constraint, maxSkew: 2 }),
    'a constraint with a selector': list({ ...constraint, labelSelector: { matchLabels: { a: 'b' } } }),
    'an empty constraint': list({}),
    'a wrong constraint': list({ maxSkew: -1, topologyKey: 'a b', whenUnsatisfiable: 'Maybe' }),
    'a binding timeout': args('VolumeBinding', { bindTimeoutSeconds: 7 }),
    'a negative binding timeout': args('VolumeBinding', { bindTimeoutSeconds: -1 }),
    'a shape of volumes': args('VolumeBinding', { shape: [{ utilization: 0, score: 0 }] }),
    'added affinity': required({ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }),
    'added affinity without terms': required(),
    'added affinity by a wrong operator': required({ matchExpressions: [{ key: 'a', operator: 'Is' }] }),
    'added affinity by a wrong key': required({ matchExpressions: [{ key: 'a b', operator: 'Exists' }] }),
    'added affinity by wrong fields': required({
      matchFields: [{ key: 'metadata.name', operator: 'Exists' }],
    }),
    'added affinity by wrong numbers': required({
      matchExpressions: [{ key: 'a', operator: 'Gt', values: ['b'] }],
    }),
    'added preferences': affinity({
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
      ],
    }),
    'wrong added preferences': affinity({
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
      ],
    }),
    'timeouts of claims': args('DynamicResources', { filterTimeout: '5s', bindingTimeout: '20s' }),
    'no timeout of filtering claims': args('DynamicResources', { filterTimeout: '0s' }),
    'wrong timeouts of claims': args('DynamicResources', { filterTimeout: '-1s', bindingTimeout: '10ms' }),
  };
}

function extenders(): Record<string, string> {
  const verbs = { filterVerb: 'filter', prioritizeVerb: 'prioritize', weight: 2, bindVerb: 'bind' };
  const manages = (...names: readonly string[]) => ({
    filterVerb: 'f',
    managedResources: names.map((name) => ({ name, ignoredByScheduler: true })),
  });
  return {
    'an extender': extender({ ...verbs, preemptVerb: 'preempt', nodeCacheCapable: true, ignorable: true }),
    'an extender without verbs': extender({}),
    'an extender without an address': configuration({ extenders: [{ filterVerb: 'f' }] }),
    'an extender at a broken address': configuration({ extenders: [{ urlPrefix: ':x', filterVerb: 'f' }] }),
    'scores without weight': extender({ prioritizeVerb: 'p' }),
    'scores of negative weight': extender({ prioritizeVerb: 'p', weight: -3 }),
    'a weight without scores': extender({ weight: 5 }),
    'two that bind': extender({ bindVerb: 'b' }, { bindVerb: 'b' }),
    'three that bind and a weight': extender({ bindVerb: 'b' }, { ...verbs, weight: 0 }, { bindVerb: 'b' }),
    'a managed resource': extender(manages('example.com/a')),
    'a managed resource that is scheduled as well': extender({
      managedResources: [{ name: 'example.com/a' }],
    }),
    'managed resources by bad names': extender(
      manages('cpu', 'kubernetes.io/a', 'a b', '', 'requests.example.com/a', 'example.com/'),
    ),
    'a managed resource twice': extender(manages('example.com/a', 'example.com/a')),
    'a managed resource of two': extender(manages('example.com/a'), manages('example.com/a')),
    'managed resources and ignored ones': configuration({
      profiles: [
        {
          pluginConfig: [{ name: 'NodeResourcesFit', args: { ignoredResources: ['example.com/b'] } }],
        },
      ],
      extenders: [{ urlPrefix: 'http://x', ...manages('example.com/a') }],
    }),
    'managed resources without the fit of resources': configuration({
      profiles: [{ plugins: { multiPoint: { disabled: [{ name: 'NodeResourcesFit' }] } } }],
      extenders: [{ urlPrefix: 'http://x', ...manages('example.com/a') }],
    }),
    'a timeout': extender({ httpTimeout: '100ms' }),
    'a negative timeout': extender({ httpTimeout: '-1s' }),
    'a timeout that is none': extender({ httpTimeout: 'x' }),
    'TLS without authorities': extender({ enableHTTPS: true }),
    'TLS as one pleases': extender({ enableHTTPS: true, tlsConfig: { insecure: true, serverName: 'x' } }),
    'TLS both insecure and with authorities': extender({
      enableHTTPS: true,
      tlsConfig: { insecure: true, caData: 'eA==' },
    }),
    'TLS with broken authorities': extender({ enableHTTPS: true, tlsConfig: { caData: 'eA==' } }),
    'TLS with data that is none': extender({ enableHTTPS: true, tlsConfig: { caData: '?' } }),
    'TLS with a file that is not there': extender({ tlsConfig: { caFile: 'no-such-file' } }),
    'TLS with a certificate without key': extender({ tlsConfig: { certData: 'eA==' } }),
    'TLS with a key without certificate': extender({ tlsConfig: { keyFile: 'k' } }),
    'TLS with a broken certificate': extender({ tlsConfig: { certData: 'eA==', keyData: 'eA==' } }),
    'TLS with files of a certificate that are not there': extender({
      tlsConfig: { certFile: 'no-cert', keyFile: 'no-key' },
    }),
    'an extender with a field nobody knows': extender({ enableHttps: true, apiVersion: 'v1' }),
    'a weight that is a text': extender({ weight: 'x' }),
  };
}
