/** The network policies that apply to a pod, and which of them stand in the way of a connection. */

import { isStatusError, type KubeObject, type Labels } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { blockedBy, isolatingPolicies, type PacketEnd } from '@coxswain/network-policy/judge/may-pass.ts';
import type { NetworkPolicyObject } from '@coxswain/network-policy/plan/compiled-policy.ts';
import { policyPodOf, type PodObject, type PolicyPod } from '@coxswain/network-policy/plan/policy-pod.ts';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { client } from '../../../cluster/cluster.ts';
import { objectSource } from '../../../cluster/object-source.ts';
import { useLive } from '../../../cluster/use-live.ts';
import { SuggestInput } from '../../../controls/suggest-input.tsx';
import { Badge, Dot, type Tone } from '../../../controls/tone.tsx';
import { inLanguages } from '../../../language/language.ts';
import { objectPath } from '../../../navigation/paths.ts';

const text = inLanguages(
  {
    title: 'Network policies',
    ingress: 'incoming',
    egress: 'outgoing',
    way: 'Direction',
    from: 'From',
    to: 'To',
    pod: 'Pod',
    port: 'Port',
    example: 'name, or namespace/name',
    passes: 'No policy is in the way',
    blocked: (policies: string, direction: string) =>
      `Blocked by ${policies}: no rule for ${direction} connections allows it`,
    missing: (name: string) => `pod ${name} not found`,
    noAddress: 'One of the pods has no address that policies apply to.',
  },
  {
    title: '网络策略',
    ingress: '入站',
    egress: '出站',
    way: '方向',
    from: '来自',
    to: '发往',
    pod: 'Pod',
    port: '端口',
    example: '名称，或 命名空间/名称',
    passes: '没有策略阻止',
    blocked: (policies: string, direction: string) => `被 ${policies} 阻止：没有允许它的${direction}规则`,
    missing: (name: string) => `找不到 Pod ${name}`,
    noAddress: '其中一个 Pod 没有策略适用的地址。',
  },
);

const policies = client.resource<NetworkPolicyObject>('networking.k8s.io/v1', 'networkpolicies');
const networkPolicies = { group: 'networking.k8s.io', version: 'v1', resource: 'networkpolicies' };
const directions = ['ingress', 'egress'] as const;
const tcpPortDefault = 80;

/** Renders nothing for pods to which no policy applies. */
export function Reachability({ object }: { readonly object: KubeObject }) {
  const pod = object as PodObject;
  const { namespace = '' } = pod.metadata;
  const spec = useMemo(
    () => ({
      key: `network policies of ${namespace}`,
      source: objectSource(policies.namespace(namespace), {}, (policy) => policy),
    }),
    [namespace],
  );
  const known = [...useLive(spec).objects.values()];
  const own = policyPodOf(pod);
  const applying = new Map<string, string[]>();
  for (const direction of directions)
    for (const { name } of isolatingPolicies(known, direction, own))
      applying.set(name, [...(applying.get(name) ?? []), direction]);
  if (applying.size === 0) return null;
  return (
    <section class="panel" aria-labelledby="policies-title">
      <div class="panel-head">
        <h2 id="policies-title">{text().title}</h2>
        <span class="panel-note">{applying.size}</span>
      </div>
      <ul class="containers">
        {[...applying].map(([name, isolated]) => (
          <li key={name}>
            <span class="container-head">
              <a class="link" href={objectPath(networkPolicies, namespace, name)}>
                {name}
              </a>
              {isolated.map((direction) => (
                <Badge key={direction} tone="idle">
                  {text()[direction as 'ingress']}
                </Badge>
              ))}
            </span>
          </li>
        ))}
      </ul>
      <Connection pod={pod} />
    </section>
  );
}

interface Verdict {
  readonly tone: Tone;
  readonly words: string;
}

function Connection({ pod }: { readonly pod: PodObject }) {
  const { namespace = '' } = pod.metadata;
  const [isIncoming, setIncoming] = useState(true);
  const [other, setOther] = useState('');
  const [port, setPort] = useState<number | undefined>(undefined);
  const [names, setNames] = useState<readonly string[]>([]);
  const [verdict, setVerdict] = useState<Verdict | undefined>(undefined);
  useEffect(() => {
    client
      .resource('v1', 'pods')
      .namespace(namespace)
      .list({ limit: suggestedMax })
      .then(
        ({ items }) => setNames(items.map(({ metadata }) => metadata.name ?? '')),
        // Names can still be typed.
        () => undefined,
      );
  }, [namespace]);
  useEffect(() => {
    if (other === '') return setVerdict(undefined);
    let isWanted = true;
    judged(pod, other, isIncoming, port).then(
      (found) => isWanted && setVerdict(found),
      (failure: unknown) => isWanted && setVerdict({ tone: 'warn', words: messageOf(failure) }),
    );
    return () => void (isWanted = false);
  }, [pod, other, isIncoming, port]);
  return (
    <>
      <div class="policy-question">
        <select
          class="input"
          aria-label={text().way}
          value={isIncoming ? 'from' : 'to'}
          onChange={({ currentTarget }) => setIncoming(currentTarget.value === 'from')}
        >
          <option value="from">{text().from}</option>
          <option value="to">{text().to}</option>
        </select>
        <SuggestInput
          label={text().pod}
          placeholder={text().example}
          value={other}
          onChange={setOther}
          suggestionsFor={(typed) => names.filter((name) => name.includes(typed)).map((value) => ({ value }))}
        />
        <input
          class="input"
          type="number"
          min={1}
          max={65_535}
          aria-label={text().port}
          placeholder={text().port}
          value={port}
          onChange={({ currentTarget }) => setPort(Number(currentTarget.value) || undefined)}
        />
      </div>
      {verdict !== undefined && (
        <p class="service-state policy-verdict" role="status">
          <Dot tone={verdict.tone} />
          <strong>{verdict.words}</strong>
        </p>
      )}
    </>
  );
}

const suggestedMax = 500;

/** @param port defaults to the first one that the target declares */
async function judged(
  pod: PodObject,
  typed: string,
  isIncoming: boolean,
  port: number | undefined,
): Promise<Verdict> {
  const here = pod.metadata.namespace ?? '';
  const [namespace, name] = typed.includes('/') ? (typed.split('/', 2) as [string, string]) : [here, typed];
  const [other, found, labels] = await Promise.all([
    client
      .resource<PodObject>('v1', 'pods')
      .namespace(namespace)
      .get(name)
      .catch((failure: unknown) => {
        throw isStatusError(failure, 'NotFound') ? new Error(text().missing(typed)) : failure;
      }),
    Promise.all([...new Set([here, namespace])].map((one) => policies.namespace(one).list())),
    Promise.all([...new Set([here, namespace])].map(namespaceLabels)),
  ]);
  const [from, to] = isIncoming ? [other, pod] : [pod, other];
  const [sender, receiver] = [policyPodOf(from), policyPodOf(to)];
  if (sender === undefined || receiver === undefined) return { tone: 'idle', words: text().noAddress };
  const declared = to.spec?.containers?.flatMap(({ ports }) => ports ?? [])[0]?.containerPort;
  const blocked = blockedBy(
    { policies: found.flatMap(({ items }) => items), namespaces: new Map(labels) },
    { from: endOf(sender), to: endOf(receiver), protocol: 'TCP', port: port ?? declared ?? tcpPortDefault },
  );
  if (blocked === undefined) return { tone: 'ok', words: text().passes };
  const names = blocked.policies.map((policy) => `${policy.namespace}/${policy.name}`).join(', ');
  return { tone: 'bad', words: text().blocked(names, text()[blocked.direction]) };
}

const endOf = (pod: PolicyPod): PacketEnd => ({ address: pod.addresses[0] ?? '', pod });

const namespaceLabels = async (name: string): Promise<readonly [string, Labels]> => [
  name,
  (await client.resource<KubeObject>('v1', 'namespaces').get(name)).metadata.labels ?? {},
];
