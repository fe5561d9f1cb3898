import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as t from '#locale/mail-compose'
import { useClient } from '../../../api/context.tsx'
import { mailAccountsQuery } from '../../../api/mail-accounts.ts'
import { describeError } from '../../../api/problem.ts'
import { useNotify } from '../../../ui/toast.tsx'
import type { MailNavigation } from '../url-state.ts'
import { isSame, isValidRecipient } from './addresses.ts'
import { useFiles } from './attachments.tsx'
import type { Seed } from './seeds.ts'
import { useDraft } from './use-draft.ts'
import { useSendEmail } from './use-send.ts'

/**
 * All mail accounts and the sending one. Priority: the user's choice, the recipient of the answered mail, the
 * draft's account.
 */
const useAccount = (seed: Seed) => {
  const accounts = useQuery(mailAccountsQuery(useClient())).data
  const [chosen, setChosen] = useState<string | null>(null)
  const account =
    accounts?.find(({ id }) => id === chosen) ??
    accounts?.find(({ address }) => seed.me.some((person) => isSame(person, { address }))) ??
    accounts?.find(({ id }) => id === seed.fields.accountId) ??
    accounts?.[0]
  return { accounts, account, choose: setChosen }
}

interface ComposerOptions {
  seed: Seed
  onSaved: ((id: number) => void) | undefined
  /** Called after sending or discarding. */
  onDone: () => void
  navigation: MailNavigation
}

export type ComposerState = ReturnType<typeof useComposer>

/** State of the composer: draft, account, files, and what happens on send and discard. */
export const useComposer = ({ seed, onSaved, onDone, navigation }: ComposerOptions) => {
  const { accounts, account, choose } = useAccount(seed)
  const draft = useDraft(seed, account, onSaved)
  const { isUploading, addFiles } = useFiles(seed, (file) =>
    draft.edit(({ attachments }) => ({ attachments: [...attachments, file] })),
  )
  const notify = useNotify()
  const sendEmail = useSendEmail(navigation)
  const [isSending, setIsSending] = useState(false)
  const [errorMessage, setErrorMessage] = useState<string | null>(null)
  const [isRecipientMissing, setIsRecipientMissing] = useState(false)
  const { fields } = draft

  /** Throws the API error if the service rejects the message. */
  const dispatch = async (sendAt: string | null): Promise<void> => {
    if (!account) return
    // Saves first: attachments are read from the draft, and a failed send then loses nothing.
    await draft.save()
    await sendEmail({
      fields,
      accountId: account.id,
      inReplyTo: seed.inReplyTo,
      draftId: draft.savedId(),
      sendAt,
    })
    await draft.end()
    onDone()
  }
  /** Checks the recipients and reports what is missing. */
  const isReady = (): boolean => {
    const everyone = [...fields.to, ...fields.cc, ...fields.bcc]
    setIsRecipientMissing(everyone.length === 0)
    return everyone.length > 0 && everyone.every(isValidRecipient) && !isUploading
  }
  const restore = async (id: number): Promise<void> => {
    try {
      await draft.restore(id)
      navigation.enter('drafts', id)
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }

  return {
    draft,
    accounts,
    account,
    chooseAccount(id: string): void {
      choose(id)
      draft.change({ accountId: id })
    },
    isUploading,
    addFiles,
    isSending,
    errorMessage,
    isRecipientMissing,
    forgetMissingRecipient: (): void => setIsRecipientMissing(false),
    isReady,
    async send(): Promise<void> {
      setErrorMessage(null)
      if (!isReady()) return
      setIsSending(true)
      try {
        await dispatch(null)
      } catch (error) {
        setErrorMessage(describeError(error))
        setIsSending(false)
      }
    },
    schedule: (sendAt: string): Promise<void> => dispatch(sendAt),
    async discard(): Promise<void> {
      try {
        const id = await draft.discard()
        onDone()
        notify(t.draftDiscarded, id === null ? {} : { undo: () => void restore(id) })
      } catch (error) {
        setErrorMessage(describeError(error))
      }
    },
  }
}
