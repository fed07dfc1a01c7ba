/** Certificate signing requests: the server records the requestor, and each part has an endpoint of its own. */
import { formatTime } from '@coxswain/apimachinery';
import type { ApiRequest, Strategy } from '@coxswain/apiserver';
import type { CertificateSigningRequest } from '@coxswain/api/certificates/v1/certificate-signing-request.ts';
import type { StatusEndpoint } from '../resource.ts';
import { as, type AnyObject } from '../any-object.ts';

type Condition = NonNullable<CertificateSigningRequest['status']['conditions']>[number];

export const csrStrategy: Partial<Strategy<AnyObject>> = {
  resetFields: [['spec'], ['status']],
  prepareForCreate(object, { user }) {
    const { spec } = as<CertificateSigningRequest>(object);
    spec.username = user.name;
    if (user.uid === undefined || user.uid === '') delete spec.uid;
    else spec.uid = user.uid;
    spec.groups = [...user.groups];
    const extra = Object.entries(user.extra ?? {}).map(([key, values]) => [key, [...values]]);
    if (extra.length > 0) spec.extra = Object.fromEntries(extra) as typeof spec.extra & {};
    else delete spec.extra;
  },
  prepareForUpdate(object, old) {
    object.spec = old.spec;
  },
};

export const csrStatusEndpoint: StatusEndpoint = {
  resetFields: [['spec'], ['status', 'conditions']],
  prepareForUpdate(object, old, request) {
    const [{ status }, before] = [as<CertificateSigningRequest>(object), as<CertificateSigningRequest>(old)];
    for (const type of ['Approved', 'Denied']) keepConditions(status, before.status, type);
    fillTimes(status.conditions, before.status.conditions, request);
  },
};

/** `/approval`: changes only conditions. */
export function prepareApproval(object: AnyObject, old: AnyObject, request: ApiRequest): void {
  const [csr, before] = [as<CertificateSigningRequest>(object), as<CertificateSigningRequest>(old)];
  const { conditions } = csr.status;
  fillTimes(conditions, before.status.conditions, request);
  csr.spec = before.spec;
  csr.status = { ...before.status };
  if (conditions === undefined) delete csr.status.conditions;
  else csr.status.conditions = conditions;
}

type Status = CertificateSigningRequest['status'];

/** The signer must not change approval conditions; adding or removing one is left to validation. */
function keepConditions(status: Status, old: Status, type: string): void {
  const before = (old.conditions ?? []).filter((condition) => condition.type === type);
  const now = (status.conditions ?? []).filter((condition) => condition.type === type);
  if (before.length !== now.length) return;
  let next = 0;
  const kept = (status.conditions ?? []).map((condition) =>
    condition.type === type ? before[next++]! : condition,
  );
  if (status.conditions !== undefined) status.conditions = kept;
}

function fillTimes(conditions: Condition[] = [], old: readonly Condition[] = [], request: ApiRequest): void {
  const now = formatTime(request.receivedAtMs);
  for (const condition of conditions) {
    condition.lastUpdateTime ||= now;
    const same = old.find(
      (o) => o.type === condition.type && o.status === condition.status && o.lastTransitionTime,
    );
    condition.lastTransitionTime ||= same?.lastTransitionTime ?? now;
  }
}
