import type { Db } from '../../src/database/db.ts'

/** Inserts rows into every table of promises, one for each text. The first email is in the queue. */
export const fillCommitments = async (
  db: Db,
  userId: number,
  texts: readonly string[],
  at: string,
): Promise<void> => {
  const emails = await db
    .selectFrom('emails')
    .select('id')
    .where('userId', '=', userId)
    .orderBy('id')
    .execute()
  const emailId = emails[0]?.id ?? null
  for (const [n, text] of texts.entries()) {
    const isOpen = n % 2 === 0
    await db
      .insertInto('commitments')
      .values({
        userId,
        direction: isOpen ? 'mine' : 'theirs',
        personName: text,
        personAddress: text,
        text,
        quote: text,
        quoteOffset: n,
        emailId: isOpen ? emailId : null,
        threadId: emailId,
        subject: text,
        promisedAt: at,
        confidence: n,
        dueAt: isOpen ? at : null,
        dueDay: isOpen ? '2026-03-01' : null,
        lateAt: isOpen ? at : null,
        place: n,
        status: isOpen ? 'open' : 'done',
        closedAt: isOpen ? null : at,
        closedBy: isOpen ? null : 'email',
        closingEmailId: isOpen ? null : emailId,
        closingQuote: isOpen ? null : text,
        taskId: null,
        isPrivate: n % 2,
        version: n,
        createdAt: at,
        updatedAt: at,
      })
      .execute()
  }
  if (emailId !== null) await db.insertInto('commitment_mails').values({ emailId, userId }).execute()
}
