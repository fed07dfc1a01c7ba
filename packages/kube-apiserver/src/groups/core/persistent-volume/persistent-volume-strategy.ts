/**
 * Volumes and claims: records the time of a volume's phase, and keeps both data source fields of a claim consistent.
 */
import { formatTime } from '@coxswain/apimachinery';
import type { ApiRequest, Strategy } from '@coxswain/apiserver';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { StatusEndpoint } from '../../resource.ts';
import { as, type AnyObject } from '../../any-object.ts';
import type { Services } from '../../services.ts';

export const volumeStrategy: Partial<Strategy<AnyObject>> = {
  returnDeletedObject: true,
  prepareForCreate(object, request) {
    as<PersistentVolume>(object).status = { phase: 'Pending', lastPhaseTransitionTime: nowOf(request) };
  },
};

export const volumeStatusEndpoint: StatusEndpoint = {
  prepareForUpdate(object, old, request) {
    const { status } = as<PersistentVolume>(object);
    const before = as<PersistentVolume>(old).status;
    const time = status.lastPhaseTransitionTime;
    if (status.phase === before.phase) {
      if (!time && before.lastPhaseTransitionTime)
        status.lastPhaseTransitionTime = before.lastPhaseTransitionTime;
    } else if (!time || time === before.lastPhaseTransitionTime)
      status.lastPhaseTransitionTime = nowOf(request);
  },
};

const nowOf = (request: ApiRequest): string => formatTime(request.receivedAtMs);

export const claimStrategy = ({ features }: Services): Partial<Strategy<AnyObject>> => {
  const align = (object: AnyObject, old?: AnyObject) =>
    alignDataSources(
      as<PersistentVolumeClaim>(object),
      as<PersistentVolumeClaim | undefined>(old),
      features.enabled('CrossNamespaceVolumeDataSource'),
    );
  return {
    prepareForCreate(object) {
      as<PersistentVolumeClaim>(object).status = { phase: 'Pending' };
      align(object);
    },
    prepareForUpdate: align,
  };
};

function alignDataSources(
  { spec }: PersistentVolumeClaim,
  old: PersistentVolumeClaim | undefined,
  crossesNamespaces: boolean,
): void {
  const wasThere = old?.spec.dataSource || old?.spec.dataSourceRef;
  if (!crossesNamespaces && spec.dataSourceRef?.namespace && !old?.spec.dataSourceRef) {
    delete spec.dataSourceRef;
  }
  // The older field accepts only claims and snapshots; everything else has always been dropped silently.
  if (!wasThere && !spec.dataSourceRef && !isClaimOrSnapshot(spec.dataSource)) delete spec.dataSource;
  const { dataSource, dataSourceRef } = spec;
  if (dataSource && !dataSourceRef) spec.dataSourceRef = { ...dataSource };
  else if (dataSourceRef && !dataSource && !dataSourceRef.namespace) {
    const { namespace: _, ...source } = dataSourceRef;
    spec.dataSource = source;
  }
}

function isClaimOrSnapshot(source: PersistentVolumeClaim['spec']['dataSource']): boolean {
  if (!source) return false;
  const group = source.apiGroup ?? '';
  return (
    (source.kind === 'PersistentVolumeClaim' && group === '') ||
    (source.kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io')
  );
}
