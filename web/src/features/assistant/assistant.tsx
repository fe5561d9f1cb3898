import { useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import * as t from '#locale/assistant'
import { Page } from '../../shell/page.tsx'
import { ChatView } from './chat-view.tsx'
import { addressOfConversation } from './conversation-address.ts'
import { ConversationList } from './conversation-list.tsx'
import './assistant.css'

export { AssistantPanel } from './panel.tsx'

/** The open conversation, stored in the URL, so that reload and Back work. */
const useConversationUrl = () => {
  const [, navigate] = useLocation()
  return {
    id: new URLSearchParams(useSearch()).get('conversation'),
    go: (next: string | null, options: { replace?: boolean } = {}): void =>
      navigate(addressOfConversation(next), options),
  }
}

export const Assistant = () => {
  const { id, go } = useConversationUrl()
  const field = useRef<HTMLTextAreaElement>(null)
  const open = (next: string | null) => {
    go(next)
    if (next === null) field.current?.focus()
  }
  return (
    <Page title={t.assistant} about={t.assistantHelp}>
      <div className="chat">
        <ConversationList current={id} open={open} onCurrentDeleted={() => go(null)} />
        <ChatView conversationId={id} onOpen={go} subject={null} field={field} />
      </div>
    </Page>
  )
}
