import { conflict, invalidField } from '../../platform/errors.ts'
import type { EventChange, NewEvent } from './schema.ts'

/** Returns a new link for a video call; null if the preferences have no template. */
export type CreateConferencingLink = (userId: number) => Promise<string | null>

export type AddConferencing = ReturnType<typeof createAddConferencing>

/** Replaces `conferencing` of a request by a new link. */
export const createAddConferencing =
  (createLink: CreateConferencingLink) =>
  async <I extends EventChange | NewEvent>(userId: number, { conferencing, ...input }: I) => {
    if (!conferencing) return input
    if (input.meetingUrl) throw invalidField('conferencing', 'cannot be combined with meetingUrl')
    const meetingUrl = await createLink(userId)
    if (meetingUrl === null)
      throw conflict(
        'Your preferences have no link for video calls. Set conferencingLink first.',
        'not_configured',
      )
    return { ...input, meetingUrl }
  }
