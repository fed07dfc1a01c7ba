/** What a network policy allows, in words. */

import type { KubeObject } from '@coxswain/apimachinery';
import { Fragment } from 'preact';
import {
  compilePolicy,
  type NetworkPolicyObject,
  type PolicyPeer,
  type PolicyRule,
} from '@coxswain/network-policy/plan/compiled-policy.ts';
import { inLanguages } from '../../../language/language.ts';

const text = inLanguages(
  {
    title: 'Allowed connections',
    ingress: 'Incoming',
    egress: 'Outgoing',
    free: 'not restricted by this policy',
    nothing: 'none',
    anyone: 'any address',
    every: 'every pod',
    pods: (labels: string) => `pods with ${labels}`,
    everywhere: 'in every namespace',
    inNamespaces: (labels: string) => `in namespaces with ${labels}`,
    except: (blocks: string) => `except ${blocks}`,
    everyPort: 'every port',
  },
  {
    title: '允许的连接',
    ingress: '入站',
    egress: '出站',
    free: '此策略不限制',
    nothing: '无',
    anyone: '任何地址',
    every: '所有 Pod',
    pods: (labels: string) => `带有 ${labels} 的 Pod`,
    everywhere: '所有命名空间',
    inNamespaces: (labels: string) => `带有 ${labels} 的命名空间`,
    except: (blocks: string) => `除 ${blocks}`,
    everyPort: '所有端口',
  },
);

export function PolicyRules({ object }: { readonly object: KubeObject }) {
  const policy = compilePolicy(object as NetworkPolicyObject);
  return (
    <section class="panel" aria-labelledby="policy-rules-title">
      <div class="panel-head">
        <h2 id="policy-rules-title">{text().title}</h2>
      </div>
      <dl class="facts">
        {(['ingress', 'egress'] as const).map((direction) => (
          <Fragment key={direction}>
            <dt>{text()[direction]}</dt>
            <dd>
              {policy[direction] === undefined
                ? text().free
                : policy[direction].length === 0
                  ? text().nothing
                  : policy[direction].map((rule) => <div key={ruleText(rule)}>{ruleText(rule)}</div>)}
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

function ruleText({ peers, ports }: PolicyRule): string {
  const who = peers.length === 0 ? text().anyone : peers.map(peerText).join(' · ');
  const where = ports.map(({ port, endPort, protocol }) =>
    [port ?? '', endPort ? `–${endPort}` : '', '/', protocol ?? 'TCP'].join(''),
  );
  return `${who}: ${where.join(', ') || text().everyPort}`;
}

function peerText(peer: PolicyPeer): string {
  if (peer.kind === 'block')
    return [peer.cidr, ...(peer.except.length === 0 ? [] : [text().except(peer.except.join(', '))])].join(
      ' ',
    );
  const [pods, namespaces] = [String(peer.pods), String(peer.namespaces)];
  return [
    pods === '' ? text().every : text().pods(pods),
    ...(peer.namespace !== undefined
      ? []
      : [namespaces === '' ? text().everywhere : text().inNamespaces(namespaces)]),
  ].join(' ');
}
