import { FieldPath, ipWarnings } from '@coxswain/apimachinery';
import type { PodStatus } from '../pod-status.ts';

export const podStatusWarnings = ({ status }: { status?: PodStatus }): string[] =>
  (['podIPs', 'hostIPs'] as const).flatMap((list) =>
    (status?.[list] ?? []).flatMap(({ ip }, index) =>
      ipWarnings(FieldPath.of('status', list).index(index).child('ip'), ip ?? ''),
    ),
  );
