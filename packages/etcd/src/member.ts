import { createHash } from 'node:crypto';
import type { Engine } from '@coxswain/storage';
import type { Input } from '@coxswain/protobuf';
import type { ResponseHeader } from '@coxswain/storage/etcd/messages.ts';

/** The identity of this server: a cluster with one member, which is the leader. */
export interface Member {
  readonly name: string;
  readonly clusterId: bigint;
  readonly memberId: bigint;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
}

/** There is one leader that never changes. */
export const raftTerm = 2;

export function memberOf(options: {
  readonly name: string;
  readonly token: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
}): Member {
  const seed = [...options.peerUrls].sort().join(',');
  return {
    name: options.name,
    peerUrls: options.peerUrls,
    clientUrls: options.clientUrls,
    memberId: numberOf(`member ${seed} ${options.token}`),
    clusterId: numberOf(`cluster ${seed} ${options.token}`),
  };
}

export type Header = Input<typeof ResponseHeader>;

export const headerOf = (member: Member, engine: Engine, revision: number = engine.revision): Header => ({
  clusterId: member.clusterId,
  memberId: member.memberId,
  revision,
  raftTerm,
});

function numberOf(text: string): bigint {
  return createHash('sha256').update(text).digest().readBigUInt64BE(0);
}
