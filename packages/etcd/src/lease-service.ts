import { randomBytes } from 'node:crypto';
import type { Clock } from '@coxswain/apimachinery';
import type { Engine, Lease } from '@coxswain/storage';
import { etcdError } from '@coxswain/storage/etcd/etcd-errors.ts';
import { bytesOf } from '@coxswain/storage/key-bytes.ts';
import {
  LeaseGrantRequest,
  LeaseGrantResponse,
  LeaseKeepAliveRequest,
  LeaseKeepAliveResponse,
  LeaseLeasesRequest,
  LeaseLeasesResponse,
  LeaseRevokeRequest,
  LeaseRevokeResponse,
  LeaseTimeToLiveRequest,
  LeaseTimeToLiveResponse,
} from '@coxswain/storage/etcd/messages.ts';
import { stream, unary, type Methods } from '@coxswain/grpc/server/method.ts';
import { headerOf, type Member } from './member.ts';

/** As in etcd with its default election timeout. */
const ttlSecondsMin = 2;
const ttlSecondsMax = 9_000_000_000;

export function leaseService(engine: Engine, member: Member, clock: Clock): Methods {
  const header = () => headerOf(member, engine);
  const remainingSeconds = (lease: Lease) =>
    Math.max(0, Math.floor((lease.expiresAtMs - clock.monotonic()) / 1000));
  return {
    '/etcdserverpb.Lease/LeaseGrant': unary(LeaseGrantRequest, LeaseGrantResponse, async ({ id, ttl }) => {
      if (ttl > ttlSecondsMax) throw etcdError('leaseTtlTooLarge');
      const lease = await engine.leases.grant(id === 0n ? newLeaseId() : id, Math.max(ttl, ttlSecondsMin));
      return { header: header(), id: lease.id, ttl: lease.ttlSeconds };
    }),

    '/etcdserverpb.Lease/LeaseRevoke': unary(LeaseRevokeRequest, LeaseRevokeResponse, async ({ id }) => {
      await engine.leases.revoke(id);
      return { header: header() };
    }),

    '/etcdserverpb.Lease/LeaseKeepAlive': stream(
      LeaseKeepAliveRequest,
      LeaseKeepAliveResponse,
      async (call) => {
        for await (const { id } of call.requests) {
          // An expired lease is reported with a time to live of 0.
          const lease = engine.leases.get(id) && engine.leases.renew(id);
          call.send({ header: header(), id, ttl: lease?.ttlSeconds ?? 0 });
        }
      },
    ),

    '/etcdserverpb.Lease/LeaseTimeToLive': unary(
      LeaseTimeToLiveRequest,
      LeaseTimeToLiveResponse,
      ({ id, keys: withKeys }) => {
        const lease = engine.leases.get(id);
        if (lease === undefined) return { header: header(), id, ttl: -1 };
        const keys = withKeys ? engine.leases.keys(id).map(bytesOf) : [];
        return { header: header(), id, ttl: remainingSeconds(lease), grantedTtl: lease.ttlSeconds, keys };
      },
    ),

    '/etcdserverpb.Lease/LeaseLeases': unary(LeaseLeasesRequest, LeaseLeasesResponse, () => ({
      header: header(),
      leases: engine.leases.all().map(({ id }) => ({ id })),
    })),
  };
}

/** Positive, as in etcd. */
export const newLeaseId = (): bigint => randomBytes(8).readBigUInt64BE() >> 1n;
