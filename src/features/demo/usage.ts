import type { SyncedCount } from '../mail/sync/synced-count.ts'
import type { MarkedSample } from './marks.ts'
import type { Sample } from './sample.ts'

export interface UsageServices {
  /** Counts messages from mail servers. */
  synced: Pick<SyncedCount, 'addOn'>
}

const DAY_MS = 86_400_000
/** The last seven days. Sample mail accounts would try to sign in, so there are only their message counts. */
const MESSAGES = [12, 31, 27, 19, 34, 8, 14]
const AI_REQUESTS = [4, 11, 7, 15, 9, 2, 6]
/** No access token has this id, so that the removal finds the requests. */
const TOKEN_ID = 'sample'
/** Half a dollar, of which the requests use about half. */
const BUDGET = 500_000_000

export const fillUsage = async (sample: Sample, { synced }: UsageServices): Promise<void> => {
  const { tx, userId, now } = sample
  const dayBefore = (daysAgo: number): string =>
    new Date(now.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10)
  for (const [index, messages] of MESSAGES.entries()) {
    const day = dayBefore(MESSAGES.length - index)
    await synced.addOn(tx, userId, day, messages)
    await sample.mark('messages-synced', `${day}=${messages}`)
  }
  for (const [index, requests] of AI_REQUESTS.entries())
    await tx
      .insertInto('ai_days')
      .values({
        userId,
        day: dayBefore(AI_REQUESTS.length - index),
        model: 'model_a',
        tokenId: TOKEN_ID,
        requests,
        inputTokens: requests * 820,
        outputTokens: requests * 210,
        costNano: requests * 5_200_000,
        unpriced: 0,
      })
      .execute()
  await tx
    .insertInto('billing_budgets')
    .values({ userId, measure: 'aiCostUsd', amount: BUDGET, updatedAt: now.toISOString() })
    .execute()
}

/** The budget stays until the account is deleted. */
export const removeUsage = async (sample: MarkedSample, { synced }: UsageServices): Promise<void> => {
  const { tx, userId } = sample
  for (const reference of sample.referencesOf('messages-synced')) {
    const [day = '', messages] = reference.split('=')
    await synced.addOn(tx, userId, day, -Number(messages))
  }
  await tx.deleteFrom('ai_days').where('userId', '=', userId).where('tokenId', '=', TOKEN_ID).execute()
}
