import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock, type KubeObject } from '@coxswain/apimachinery';
import type { UserInfo } from '@coxswain/apiserver';
import { clusterCertificates } from '../certificates/certificates.ts';
import { startCluster, type Cluster } from './cluster.ts';
import {
  clusterDnsUser,
  loadBalancersUser,
  nodeNetworkUser,
  nodeUser,
  proxyUser,
} from '../components/component-users.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'coxswain-access-'));
let cluster: Cluster;

beforeAll(async () => {
  const certificates = await clusterCertificates(directory, {
    clock: systemClock,
    serviceAddress: '10.96.0.1',
  });
  cluster = await startCluster({
    port: 0,
    nodes: 0,
    controllers: [],
    scheduler: false,
    certificates: {
      ...certificates,
      rootCertificateAuthority: readFileSync(certificates.caCertFile, 'utf8'),
    },
    joinable: { bindAddress: '127.0.0.1', advertiseAddress: '127.0.0.1', podRange: '10.244.0.0/16' },
  });
}, 60_000);

afterAll(async () => {
  await cluster?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** `patch services/status kube-system/kube-dns` */
async function may(user: UserInfo, question: string): Promise<boolean> {
  const [verb = '', what = '', where] = question.split(' ');
  const [resource = '', subresource] = what.split('/');
  const [namespace, name] = where?.split('/') ?? [];
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    metadata: {},
    spec: {
      resourceAttributes: { verb, group: groups[resource] ?? '', resource, subresource, namespace, name },
    },
  };
  const answer = (await cluster
    .client(user)
    .resource('authorization.k8s.io/v1', 'selfsubjectaccessreviews')
    .create(review as KubeObject)) as KubeObject & { readonly status: { readonly allowed: boolean } };
  return answer.status.allowed;
}

const groups: Readonly<Record<string, string>> = {
  endpointslices: 'discovery.k8s.io',
  networkpolicies: 'networking.k8s.io',
  leases: 'coordination.k8s.io',
};

test.each([
  [nodeUser('one'), 'patch nodes/status -/one'],
  [nodeUser('one'), 'create pods default'],
  [proxyUser, 'watch endpointslices'],
  [nodeNetworkUser, 'watch networkpolicies'],
  [nodeNetworkUser, 'list pods'],
  [clusterDnsUser, 'patch services kube-system/kube-dns'],
  [clusterDnsUser, 'create endpointslices kube-system'],
  [loadBalancersUser, 'patch services/status default/web'],
] as const)('$0.name may %s', async (user, question) => {
  await expect.poll(() => may(user, question)).toBe(true);
});

test.each([
  [nodeUser('one'), 'list secrets default'],
  [nodeUser('one'), 'get secrets default/unknown'],
  [nodeUser('one'), 'delete services default/web'],
  [proxyUser, 'list secrets'],
  [proxyUser, 'patch services default/web'],
  [nodeNetworkUser, 'get secrets default/a'],
  [nodeNetworkUser, 'patch pods default/a'],
  [clusterDnsUser, 'patch services kube-system/other'],
  [clusterDnsUser, 'create services default'],
  [clusterDnsUser, 'list secrets kube-system'],
  [loadBalancersUser, 'patch services default/web'],
  [loadBalancersUser, 'list secrets'],
] as const)('$0.name may not %s', async (user, question) => {
  expect(await may(user, question)).toBe(false);
});
