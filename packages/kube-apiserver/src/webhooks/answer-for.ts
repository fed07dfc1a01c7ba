/** Asks a webhook for a request. Its response is processed in a turn of the request's user, or in another thread. */
import { isContended, nextSlice, nobody } from '@coxswain/apimachinery/slices.ts';
import { AllowanceSpent, type WorkAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import { postReview, type ReviewPost } from './post-review.ts';
import { AnswerTooLong } from './read-answer.ts';

/** The request that a webhook is asked for. */
export interface Asker {
  readonly owner: string;
  readonly allowance?: WorkAllowance | undefined;
}

/**
 * The text of a successful response, in a slice if others are served: responses that arrive together would be processed
 * in one turn.
 * @throws AllowanceSpent for a response that would keep others waiting: another thread asks again; and as `postReview`
 */
export async function answerFor(
  asker: Asker | undefined,
  post: Omit<ReviewPost, 'bytesMax'>,
): Promise<string> {
  const bytesMax = asker?.allowance?.answerBytesMax;
  let text: string;
  try {
    text = await postReview({ ...post, bytesMax });
  } catch (failure) {
    const isTooLong = (failure as Error).cause instanceof AnswerTooLong;
    throw isTooLong && bytesMax !== undefined ? new AllowanceSpent() : failure;
  }
  const { clock } = post;
  if (isContended(clock, clock.monotonic())) await nextSlice(clock, asker?.owner ?? nobody);
  return text;
}
