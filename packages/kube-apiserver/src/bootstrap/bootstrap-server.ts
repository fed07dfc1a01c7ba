/** Creates the objects that this server puts into a store at startup. */
import { formatTime, type Clock } from '@coxswain/apimachinery';
import type { ApiGroup } from '@coxswain/apiserver';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { resources } from '../object-reader.ts';
import { localApiService } from './local-api-services.ts';
import type { ServiceAllocation } from '../groups/core/service/service-allocators.ts';
import { applyCondition } from './apply-condition.ts';
import { bootstrap, type BootstrapParts } from './bootstrap.ts';
import { configMapObjects } from './config-maps.ts';
import { flowControlObjects } from './flow-control.ts';
import { kubernetesServiceObjects } from './kubernetes-service.ts';
import { priorityClassObjects } from '../groups/scheduling/priority-classes.ts';
import { rbacObjects } from './rbac/objects.ts';
import { serviceCidrObject, serviceCidrReady, serviceCidrStatusManager } from './service-cidr.ts';

export interface BootstrapServerParts extends BootstrapParts {
  readonly clock: Clock;
  readonly apiGroups: readonly ApiGroup[];
  readonly serviceRanges: readonly string[];
  readonly advertiseAddress: string;
  /** Whether to create the endpoints of the service `kubernetes`; with peers, another component maintains them. */
  readonly keepsEndpoints: boolean;
  /** The node port of that service; 0 for none. */
  readonly serviceNodePort: number;
  readonly securePort: number;
  readonly allocation: ServiceAllocation;
  readonly features: FeatureGates;
}

export async function bootstrapServer(parts: BootstrapServerParts): Promise<void> {
  for (const service of await parts.objects.list<Service>(resources.services, '')) {
    parts.allocation.allocators.adopt(service);
  }
  const { advertiseAddress, securePort, allocation, keepsEndpoints, serviceNodePort } = parts;
  await bootstrap(
    parts,
    [serviceCidrObject(parts.serviceRanges)],
    [
      ...rbacObjects(parts.features),
      ...priorityClassObjects(),
      ...flowControlObjects(),
      ...parts.apiGroups
        .flatMap(({ name, versions }) => versions.map(({ version }) => localApiService(name, version)))
        .filter(({ object }) => !object.metadata.name.endsWith('.apiregistration.k8s.io')),
      ...configMapObjects(parts.clock.now()),
      ...kubernetesServiceObjects({
        advertiseAddress,
        securePort,
        clusterIp: allocation.firstAddress,
        withAddresses: keepsEndpoints,
        nodePort: serviceNodePort,
      }),
    ],
  );
  await applyStatuses(parts);
}

interface Conditioned {
  readonly metadata: { readonly name?: string };
  readonly status?: { readonly conditions?: readonly unknown[] };
}

/** Applies the status of these objects as the server's own controllers would. */
async function applyStatuses(parts: BootstrapServerParts): Promise<void> {
  const at = formatTime(parts.clock.now());
  const ranges = await parts.objects.list<Conditioned>(
    { group: 'networking.k8s.io', resource: 'servicecidrs' },
    '',
  );
  await Promise.all(
    ranges.filter(isUnconditioned).map(({ metadata }) =>
      applyCondition(parts, {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'ServiceCIDR',
        resource: 'servicecidrs',
        name: metadata.name!,
        manager: serviceCidrStatusManager,
        condition: serviceCidrReady(at),
      }),
    ),
  );
}

const isUnconditioned = ({ status }: Conditioned): boolean => !status?.conditions?.length;
