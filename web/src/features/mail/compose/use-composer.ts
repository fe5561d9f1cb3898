import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import * as t from '#locale/mail-compose'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { mailAccountsQuery } from '../../../api/mail-accounts.ts'
import { describeError } from '../../../api/problem.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import type { MailNavigation } from '../url-state.ts'
import { isSame, isValidRecipient } from './addresses.ts'
import { useFiles } from './attachments.tsx'
import { htmlToText, losesFormatting, textToHtml } from './html-text.ts'
import { useImages } from './images.ts'
import { estimateMessageBytes } from './message-size.ts'
import type { EditorHandle } from './rich-text/editor.tsx'
import { type Fields, listIdentities, type MailAccount, type Seed } from './seeds.ts'
import { replaceHtmlSignature, replaceTextSignature } from './signature.ts'
import { listUnfilledFields } from './templates/template-fields.ts'
import { type Sender, useDraft } from './use-draft.ts'
import { useSendEmail } from './use-send.ts'

const findAccount = (accounts: readonly MailAccount[], fields: Fields): MailAccount | undefined =>
  accounts.find(({ id }) => id === fields.accountId) ?? accounts[0]

const toSender = (accounts: readonly MailAccount[], fields: Fields): Sender | undefined => {
  const account = findAccount(accounts, fields)
  if (!account) return undefined
  const identities = listIdentities(account)
  const { from } = fields
  const identity =
    identities.find((each) => from !== null && isSame(each, { address: from })) ?? identities[0]
  return identity && { accountId: account.id, name: identity.name, address: identity.address }
}

interface ComposerOptions {
  seed: Seed
  accounts: readonly MailAccount[]
  onSaved: ((id: number) => void) | undefined
  /** Called after sending or discarding. */
  onDone: () => void
  navigation: MailNavigation
}

export type ComposerState = ReturnType<typeof useComposer>

/** Stores the format as the default of the account. */
const useFormatDefault = () => {
  const client = useClient()
  const queries = useQueryClient()
  return async (account: MailAccount | undefined, plainText: boolean): Promise<void> => {
    if (!account || account.plainText === plainText) return
    const { queryKey } = mailAccountsQuery(client)
    queries.setQueryData(queryKey, (known) =>
      known?.map((each) => (each.id === account.id ? { ...each, plainText } : each)),
    )
    await unwrap(
      client.PATCH('/api/settings/mail-accounts/{id}', {
        params: { path: { id: account.id } },
        body: { plainText },
      }),
    ).catch(() => {})
  }
}

/** State of the composer: draft, sender, files, and what happens on send and discard. */
export const useComposer = ({ seed, accounts, onSaved, onDone, navigation }: ComposerOptions) => {
  const draft = useDraft(seed, (fields) => toSender(accounts, fields), onSaved)
  const { fields } = draft
  const account = findAccount(accounts, fields)
  const sender = toSender(accounts, fields)
  const editor = useRef<EditorHandle>(null)
  const files = useFiles(seed, draft.edit)
  const images = useImages(draft.savedId, files.upload)
  const notify = useNotify()
  const attempt = useAttempt()
  const rememberFormat = useFormatDefault()
  const sendEmail = useSendEmail(navigation)
  const [isSending, setIsSending] = useState(false)
  const [followUpAt, setFollowUpAt] = useState(seed.followUpAt)
  const [errorMessage, setErrorMessage] = useState<string | null>(null)
  const [isRecipientMissing, setIsRecipientMissing] = useState(false)
  const unfilled = useRef('')

  useEffect(() => {
    const retry = () => void editor.current?.uploadImages()
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  }, [])

  const size = estimateMessageBytes(fields)
  const isTooLarge = account !== undefined && size > account.maxMessageBytes

  /** Throws the API error if the service rejects the message. */
  const dispatch = async (sendAt: string | null): Promise<void> => {
    if (!sender) return
    await editor.current?.uploadImages()
    // Saves first: attachments are read from the draft, and a failed send then loses nothing.
    await draft.save()
    await sendEmail({
      fields: draft.latest(),
      sender,
      inReplyTo: seed.inReplyTo,
      draftId: draft.savedId(),
      sendAt,
      followUpAt,
    })
    await draft.end()
    onDone()
  }
  /** Checks the recipients and the template fields, and reports what is missing. */
  const isReady = (): boolean => {
    const everyone = [...fields.to, ...fields.cc, ...fields.bcc]
    setIsRecipientMissing(everyone.length === 0)
    if (everyone.length === 0 || !everyone.every(isValidRecipient) || files.isUploading || isTooLarge)
      return false
    const missing = listUnfilledFields(fields).join(', ')
    // The second attempt sends the braces as they are.
    if (missing !== '' && missing !== unfilled.current) {
      unfilled.current = missing
      setErrorMessage(t.unfilledFields(missing))
      return false
    }
    return true
  }
  const restore = (id: number) =>
    attempt(async () => {
      await draft.restore(id)
      navigation.enter('drafts', id)
    })
  const setPlainText = (isPlain: boolean): void => {
    draft.edit((before) =>
      isPlain
        ? { html: null, text: htmlToText(before.html ?? '') }
        : { html: textToHtml(before.text), text: '' },
    )
    void rememberFormat(account, isPlain)
  }

  return {
    draft,
    accounts,
    account,
    sender,
    editor,
    images,
    chooseSender(accountId: string, from: string): void {
      const next = accounts.find(({ id }) => id === accountId)
      const signature = next?.signature ?? null
      draft.edit((before) => ({
        accountId,
        from,
        ...(accountId !== account?.id &&
          (before.html === null
            ? { text: replaceTextSignature(before.text, account?.signature ?? null, signature) }
            : { html: replaceHtmlSignature(before.html, signature) })),
      }))
    },
    isUploading: files.isUploading,
    addFiles: files.addFiles,
    size,
    isTooLarge,
    isPlainText: fields.html === null,
    /** Whether the plain text lacks something that the user sees now. */
    losesFormatting: (): boolean => fields.html !== null && losesFormatting(fields.html),
    setPlainText,
    isSending,
    /** Remind if nobody answers until then. */
    followUpAt,
    setFollowUpAt,
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
