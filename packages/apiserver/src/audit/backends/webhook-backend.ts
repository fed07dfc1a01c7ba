/** Posts lists of events to a service, with retries. */
import type { Clock, Random } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { AuditBackend, AuditEvent } from '../audit-event.ts';
import type { LostEvents } from '../audit-metrics.ts';
import { eventList } from '../event-json.ts';

export interface WebhookSettings {
  /** Posts a list of events. @throws Error for anything but success */
  readonly post: (body: string) => Promise<void>;
  /** The delay after the first failure. */
  readonly initialBackoffMs: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly lost: LostEvents;
}

/** As upstream: five attempts, each delay 1.5 times the previous one, with up to 20 % jitter. */
const attemptsMax = 5;
const pauseFactor = 1.5;
const jitter = 0.2;

export const webhookBackend = (settings: WebhookSettings): AuditBackend => ({
  name: 'webhook',
  async process(events) {
    try {
      await postAgain(settings, eventList(events));
      return true;
    } catch (failure) {
      settings.lost('webhook', messageOf(failure), events as readonly AuditEvent[]);
      return false;
    }
  },
  flush: () => Promise.resolve(),
});

async function postAgain(settings: WebhookSettings, body: string): Promise<void> {
  const { post, clock, random } = settings;
  let pauseMs = settings.initialBackoffMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await post(body);
    } catch (failure) {
      if (attempt === attemptsMax) throw failure;
    }
    await clock.sleep(pauseMs * (1 + random.next() * jitter));
    pauseMs *= pauseFactor;
  }
}
