/** What a cluster with a single member reports about itself, and the calls it cannot serve. */
import type { Engine } from '@coxswain/storage';
import { etcdError } from '@coxswain/storage/etcd/etcd-errors.ts';
import { GrpcError, grpcCodes } from '@coxswain/grpc/status.ts';
import {
  MemberAddRequest,
  MemberListRequest,
  MemberListResponse,
  MemberRemoveRequest,
  MemberUpdateRequest,
  MembersResponse,
} from '@coxswain/storage/etcd/messages.ts';
import { unary, type Methods } from '@coxswain/grpc/server/method.ts';
import { headerOf, type Member } from './member.ts';

export function clusterService(engine: Engine, member: Member): Methods {
  const { memberId, name, peerUrls, clientUrls } = member;
  const answer = () => ({
    header: headerOf(member, engine, 0),
    members: [{ id: memberId, name, peerUrls, clientUrls }],
  });
  const mustBeThis = (id: bigint): void => {
    if (id !== memberId) throw etcdError('memberNotFound');
  };
  return {
    '/etcdserverpb.Cluster/MemberList': unary(MemberListRequest, MemberListResponse, answer),

    '/etcdserverpb.Cluster/MemberAdd': unary(MemberAddRequest, MembersResponse, (request) => {
      if (request.peerUrls.length === 0 || !request.peerUrls.every(isPeerUrl))
        throw etcdError('memberBadUrls');
      if (request.peerUrls.some((url) => peerUrls.includes(url))) throw etcdError('peerUrlExists');
      throw new GrpcError(
        grpcCodes.unimplemented,
        'etcdserver: not supported: this server is a cluster of a single member',
      );
    }),

    '/etcdserverpb.Cluster/MemberRemove': unary(MemberRemoveRequest, MembersResponse, ({ id }) => {
      mustBeThis(id);
      throw etcdError('memberNotEnoughStarted');
    }),

    '/etcdserverpb.Cluster/MemberUpdate': unary(MemberUpdateRequest, MembersResponse, (request) => {
      mustBeThis(request.id);
      if (request.peerUrls.length === 0 || !request.peerUrls.every(isPeerUrl))
        throw etcdError('memberBadUrls');
      if (request.peerUrls.toSorted().join() === peerUrls.toSorted().join()) return answer();
      const message = 'etcdserver: peer URLs can only be set at startup (--initial-advertise-peer-urls)';
      throw new GrpcError(grpcCodes.unimplemented, message);
    }),

    '/etcdserverpb.Cluster/MemberPromote': unary(MemberRemoveRequest, MembersResponse, ({ id }) => {
      mustBeThis(id);
      throw etcdError('memberNotLearner');
    }),
  };
}

/** As etcd requires: scheme, host and port, and nothing else. */
const isPeerUrl = (url: string): boolean => /^(https?|unixs?):\/\/[^/]+:\d+$/.test(url);
