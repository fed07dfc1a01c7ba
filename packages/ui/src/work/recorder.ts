/** A recording of the cluster, which continues across pages and ends when it is stopped or expires. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { signal } from '@preact/signals';
import type { Recording } from '@coxswain/trace/recording.ts';
import { client, facts } from '../cluster/cluster.ts';
import { announce } from '../controls/announcements.tsx';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { workOfRecording, type Work } from './work.ts';

const path = '/debug/coxswain/recording';

/** The server discards a recording that has not been read for ten minutes. */
const askedEveryMs = 3000;

/** The work in the current or last recording. */
export const recorded = signal<readonly Work[]>([]);

const underWay = signal<string | undefined>(undefined);
let asking: ReturnType<typeof setInterval> | undefined;

export const isRecording = (): boolean => underWay.value !== undefined;
export const canRecord = (): boolean => facts.value.canRecord;

export async function startRecording(): Promise<void> {
  try {
    const { id } = await client.rest.request<{ readonly id: string }>({ verb: 'POST', path });
    recorded.value = [];
    underWay.value = id;
    asking = setInterval(() => detach(document.hidden ? undefined : ask('GET')), askedEveryMs);
  } catch (failure) {
    announce('bad', messageOf(failure));
  }
}

export async function stopRecording(): Promise<void> {
  await ask('DELETE');
  over();
}

function over(): void {
  clearInterval(asking);
  underWay.value = undefined;
}

async function ask(verb: 'GET' | 'DELETE'): Promise<void> {
  const id = underWay.peek();
  if (id === undefined) return;
  try {
    const recording = await client.rest.request<Recording>({
      verb,
      path: `${path}/${id}`,
      query: { outline: true },
    });
    recorded.value = workOfRecording(recording);
  } catch (failure) {
    announce('bad', messageOf(failure));
    over();
  }
}
