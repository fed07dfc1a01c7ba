import { tablelessScope } from '@coxswain/apiserver/negotiation/negotiate.ts';
import type { ApiResource } from '@coxswain/apiserver';
import type { Services } from '../services.ts';
import { readAndUpdate } from '../stores.ts';
import type { Stores } from '../resource.ts';
import { subresourceStrategyOf } from '../strategy.ts';
import { prepareApproval } from './csr-strategy.ts';

/** `certificatesigningrequests/approval`: approves or denies a request. */
export function approvalSubresource(
  stores: Stores,
  services: Services,
): Readonly<Record<string, ApiResource>> {
  const requests = stores.of('certificates.k8s.io', 'certificatesigningrequests');
  const strategy = subresourceStrategyOf(requests.resource, services, 'approval', prepareApproval, [
    ['spec'],
    ['status', 'certificate'],
  ]);
  const storage = readAndUpdate(requests.withStrategy(strategy));
  return { approval: { storage, negotiation: tablelessScope } };
}
