import type { AnswerPost } from '../../calendar/by-mail/mail.ts'
import { listAddresses } from '../store.ts'
import type { Outbox } from './outbox.ts'

/** The outbox as the calendar uses it: answers to invitations go the way of every mail. */
export const createAnswerPost = ({ outbox }: { outbox: Pick<Outbox, 'send'> }): AnswerPost => ({
  accounts: listAddresses,

  async send({ to, calendar, ...wish }) {
    const { id } = await outbox.send({ ...wish, to: [to] }, calendar)
    return { emailId: id }
  },
})
