import { healthOf } from '../../../health/health-of.ts';
import { isUnwell } from '../../../health/health.ts';
import { Cause } from '../cause/cause.tsx';
import { Data } from './data.tsx';
import { Facts } from './facts.tsx';
import { Conditions } from './conditions.tsx';
import { Containers } from './containers.tsx';
import { Printed } from './printed.tsx';
import { Pods } from './pods.tsx';
import { PolicyRules } from './policy-rules.tsx';
import { Quota } from './quota.tsx';
import { Reachability } from './reachability.tsx';
import { Service } from './service.tsx';
import { ObjectEvents } from './object-events.tsx';
import { Usage } from '../usage/usage.tsx';
import { havePods, isNetworkPolicy, isPod, isService } from '../pod-selector.ts';
import type { ObjectTabProps } from '../object-tab.ts';
import './summary.css';

export default function Summary({ kind, object, isDeleted }: ObjectTabProps) {
  return (
    <div class="page summary-columns">
      <div class="overview-column">
        {!isDeleted && isUnwell(healthOf(kind, object)) && <Cause kind={kind} object={object} />}
        {!havePods(kind) && <Printed kind={kind} object={object} />}
        {isNetworkPolicy(kind) && <PolicyRules object={object} />}
        {kind.group === '' && kind.resource === 'resourcequotas' && <Quota object={object} />}
        <Data kind={kind} object={object} />
        {isService(kind) && !isDeleted && <Service object={object} />}
        <Conditions object={object} />
        {isPod(kind) && <Containers pod={object} />}
        {isPod(kind) && !isDeleted && <Reachability object={object} />}
        <Pods kind={kind} object={object} />
        <ObjectEvents object={object} />
      </div>
      <div class="overview-column">
        <Usage kind={kind} object={object} />
        {havePods(kind) && <Printed kind={kind} object={object} />}
        <Facts object={object} />
      </div>
    </div>
  );
}
