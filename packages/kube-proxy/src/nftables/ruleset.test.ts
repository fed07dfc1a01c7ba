import { expect, test } from 'vitest';
import { endpoint, service, slice } from '../../test/objects.ts';
import { planServices } from '../model/plan-services.ts';
import { dryWriter } from './dry-writer.ts';
import { nftablesRuleset } from './ruleset.ts';

const options = {
  masqueradeAll: false,
  masqueradeBit: 14,
  nodePortAddresses: [],
  clusterCidr: '10.244.0.0/16',
};
const node = { name: 'node-a' };
const two = slice('web', [endpoint('10.244.0.2'), endpoint('10.244.0.3')]);

const rulesetOf = (spec: object, slices = [two]) =>
  nftablesRuleset(planServices([service('web', spec)], slices, node), options);

test('a cluster address leads over the chain of its service to each endpoint with equal chances', () => {
  const text = rulesetOf({});

  expect(text).toMatch(/10\.0\.0\.10 \. tcp \. 80 : goto service-[A-Z2-7]{8}-default\/web\/tcp\/http/);
  expect(text).toMatch(
    /numgen random mod 2 vmap \{ 0 : goto endpoint-\S+__10\.244\.0\.2\/8080, 1 : goto endpoint-\S+__10\.244\.0\.3\/8080 \}/,
  );
  expect(text).toContain('meta l4proto tcp dnat to 10.244.0.2:8080');
  expect(text).toContain(
    'ip daddr 10.0.0.10 tcp dport 80 ip saddr != 10.244.0.0/16 jump mark-for-masquerade',
  );
});

test('each table is replaced whole', () => {
  const text = rulesetOf({});

  for (const table of ['table ip kube-proxy', 'table ip6 kube-proxy']) {
    expect(text).toContain(`add ${table}\ndelete ${table}\n${table} {`);
  }
});

test('a service without endpoints refuses', () => {
  expect(rulesetOf({}, [])).toContain('10.0.0.10 . tcp . 80 : goto reject-chain');
});

test('node ports and external addresses masquerade, unless the policy keeps the address of the client', () => {
  const ports = [{ name: 'http', port: 80, nodePort: 30080 }];
  const cluster = rulesetOf({ type: 'NodePort', ports, externalIPs: ['192.0.2.1'] });
  const local = rulesetOf({ type: 'NodePort', ports, externalTrafficPolicy: 'Local' }, [
    slice('web', [endpoint('10.244.0.2', { nodeName: 'node-a' })]),
  ]);
  const external = (text: string) => /chain external-\S+ \{([^}]*\})?[^}]*\}/.exec(text)?.[0] ?? '';

  expect(cluster).toMatch(/tcp \. 30080 : goto external-/);
  expect(cluster).toMatch(/192\.0\.2\.1 \. tcp \. 80 : goto external-/);
  expect(external(cluster)).toContain('jump mark-for-masquerade');
  expect(external(local)).not.toContain('jump mark-for-masquerade');
});

test('clients stay with their endpoint where the service asks for it', () => {
  const text = rulesetOf({
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
  });

  expect(text).toMatch(/set affinity-\S+ \{\n\s+type ipv4_addr;\n\s+flags dynamic,timeout;\n\s+timeout 60s;/);
  expect(text).toMatch(/ip saddr @affinity-\S+ goto endpoint-/);
  expect(text).toMatch(/update @affinity-\S+ \{ ip saddr \}/);
});

test('a load balancer drops clients that are not on its list', () => {
  const balancer = service('web', { type: 'LoadBalancer', loadBalancerSourceRanges: ['198.51.100.0/24'] });
  const withIp = { ...balancer, status: { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } } };
  const text = nftablesRuleset(planServices([withIp as typeof balancer], [two], node), options);

  expect(text).toContain('ip daddr 192.0.2.7 tcp dport 80 ip saddr != { 198.51.100.0/24 } drop');
});

test('the dry writer prints a rule set once', async () => {
  const printed: string[] = [];
  const writer = dryWriter((text) => printed.push(text), options);
  const rules = planServices([service('web')], [two], node);
  await writer.write(rules);
  await writer.write(rules);
  await writer.write(planServices([], [], node));

  expect(printed).toHaveLength(2);
});
