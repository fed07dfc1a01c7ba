import { Facts } from './facts.tsx';
import { Conditions } from './conditions.tsx';
import { Containers } from './containers.tsx';
import { ObjectEvents } from './object-events.tsx';
import { Usage } from '../usage/usage.tsx';
import type { ObjectTabProps } from '../tabs.ts';
import './summary.css';

export default function Summary({ kind, object }: ObjectTabProps) {
  const isPod = kind.group === '' && kind.resource === 'pods';
  return (
    <div class="page summary-columns">
      <div class="overview-column">
        <Conditions object={object} />
        {isPod && <Containers pod={object} />}
        <ObjectEvents object={object} />
      </div>
      <div class="overview-column">
        <Usage kind={kind} object={object} />
        <Facts object={object} />
      </div>
    </div>
  );
}
