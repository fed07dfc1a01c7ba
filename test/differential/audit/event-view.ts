/** An event without what differs from server to server and from run to run. */

export type AuditedEvent = Readonly<Record<string, unknown>> & {
  readonly auditID: string;
  readonly stage: string;
};

/** Members whose value is another each time; that they are there is compared. */
const passing: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'requestReceivedTimestamp',
  'stageTimestamp',
  'lastTransitionTime',
  'lastUpdateTime',
  'lastProbeTime',
  'firstTimestamp',
  'lastTimestamp',
  'eventTime',
  'acquireTime',
  'renewTime',
  'time',
  'continue',
  'nodePort',
  'clusterIP',
  'clusterIPs',
  'controller-uid',
  'batch.kubernetes.io/controller-uid',
  'healthCheckNodePort',
  'serverAddress',
  // Of columns and fields: ours says it in its own words.
  'description',
]);

/** The cases make up names; the original's random suffixes have five characters. */
const madeUp: readonly (readonly [RegExp, string])[] = [
  [/\bns-[a-z0-9]{8}\b/g, '<ns>'],
  [/\bx[a-z0-9]{7}(?![a-z0-9])/g, '<id>'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>'],
  [/\d{4}-\d\d-\d\d(T|%20| )\d\d:\d\d:\d\d(\.\d+)?( \+0000 UTC|Z)?/g, '<time>'],
  [/-[bcdfghjklmnpqrstvwxz2456789]{5}(?=["\s/?]|$)/g, '-<suffix>'],
  [/(resourceVersion(?:Match)?=|resourceVersion\\*":\\*"|record \(|resource version: )[0-9]+/g, '$1<n>'],
  [/continue=[^&"]+/g, 'continue=<token>'],
  [/10\.0\.0\.\d+/g, '<ip>'],
];

/** By which mode somebody may impersonate is first asked of the one that worked last, which differs from run to run. */
export function viewOf(value: unknown, name = ''): unknown {
  if (passing.has(name)) return value === null ? null : '<passing>';
  if (typeof value === 'string')
    return madeUp.reduce((text, [found, put]) => text.replace(found, put), value);
  if (Array.isArray(value)) return value.map((item) => viewOf(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.startsWith('apiserver.latency.k8s.io/') && key !== 'authenticationMetadata')
      .map(([key, member]) => [key, viewOf(member, key)] as const),
  );
}
