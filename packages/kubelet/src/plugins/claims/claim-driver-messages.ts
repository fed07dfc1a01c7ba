/** The messages between the kubelet and drivers of dynamic resources (KEP-4381); v1 and v1beta1 are equal. */
import { serviceMethods } from '@coxswain/grpc/method.ts';
import { field, repeated } from '@coxswain/protobuf';

const ClaimReference = {
  namespace: field(1, 'string'),
  uid: field(2, 'string'),
  name: field(3, 'string'),
};

const PreparedDevice = {
  /** The requests of the claim that it serves; all of them if empty. */
  requestNames: repeated(1, 'string'),
  poolName: field(2, 'string'),
  deviceName: field(3, 'string'),
  cdiDeviceIds: repeated(4, 'string'),
};

const DeviceHealthReport = {
  device: field(1, { poolName: field(1, 'string'), deviceName: field(2, 'string') }),
  /** 0: unknown, 1: healthy, 2: unhealthy. */
  health: field(2, 'enum'),
  healthCheckTimeoutSeconds: field(4, 'int64'),
  message: field(5, 'string'),
};

const Claims = { claims: repeated(1, ClaimReference) };

/** By the claim's uid. */
const PrepareResponse = {
  claims: repeated(1, {
    key: field(1, 'string'),
    value: field(2, { devices: repeated(1, PreparedDevice), error: field(2, 'string') }),
  }),
};
const UnprepareResponse = {
  claims: repeated(1, { key: field(1, 'string'), value: field(2, { error: field(1, 'string') }) }),
};

const methodsOf = (version: string) => {
  const driver = serviceMethods(`k8s.io.kubelet.pkg.apis.dra.${version}.DRAPlugin`);
  return {
    prepare: driver('NodePrepareResources', Claims, PrepareResponse),
    unprepare: driver('NodeUnprepareResources', Claims, UnprepareResponse),
  } as const;
};

/** By the name of the service that a driver says it supports, preferred ones first. */
export const claimDriverMethods = {
  'v1.DRAPlugin': methodsOf('v1'),
  'v1beta1.DRAPlugin': methodsOf('v1beta1'),
} as const;

/** A stream; a driver may do without (KEP-4680). */
export const watchHealth = serviceMethods('v1alpha1.DRAResourceHealth')(
  'NodeWatchResources',
  {},
  { devices: repeated(1, DeviceHealthReport) },
);
