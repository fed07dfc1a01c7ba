import { FieldPath } from '@coxswain/apimachinery';
import { labelWarnings } from '../core/v1/node/node-label-warnings.ts';

export const runtimeClassWarnings = ({
  scheduling,
}: {
  scheduling?: { nodeSelector?: Record<string, string> | null } | null;
}): string[] =>
  labelWarnings(Object.keys(scheduling?.nodeSelector ?? {}).sort(), () =>
    FieldPath.of('scheduling', 'nodeSelector'),
  );
