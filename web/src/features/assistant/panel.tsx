import { ArrowLeft, Expand, History, MessageSquarePlus, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useLocation, useSearch } from 'wouter'
import * as t from '#locale/assistant'
import * as common from '#locale/shared-texts'
import { useServices, useSessionState } from '../../api/context.tsx'
import type { AssistantPanelProps } from '../../shell/frame.tsx'
import { pageSubject } from '../../shell/page-subject.ts'
import { PANEL_WIDTHS } from '../../shell/panel-state.ts'
import { IconButton } from '../../ui/button.tsx'
import { Divider } from '../../ui/divider.tsx'
import { ChatView } from './chat-view.tsx'
import { addressOfConversation } from './conversation-address.ts'
import { ConversationList } from './conversation-list.tsx'

/** The conversation of the panel. It stays after a reload. */
const usePanelConversation = () => {
  const { browserStorage } = useServices()
  const state = useSessionState()
  const name = `assistant-conversation.${state.status === 'in' ? state.userId : ''}`
  const [id, setId] = useState(() => browserStorage.read(name))
  return {
    id,
    open(next: string | null): void {
      browserStorage.write(name, next)
      setId(next)
    },
  }
}

/** The assistant beside the page, or over it on small screens. */
export const AssistantPanel = ({ isBeside, opened, width, onResize, onClose }: AssistantPanelProps) => {
  const [path, navigate] = useLocation()
  const subject = useSyncExternalStore(pageSubject.subscribe, () => pageSubject.get(path))
  const conversation = usePanelConversation()
  const [showsList, setShowsList] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const scroller = useRef<HTMLDivElement>(null)

  // Not after a reload: the page keeps the focus then.
  useEffect(() => {
    if (opened === 0) return
    if (window.matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
    else heading.current?.focus({ preventScroll: true })
  }, [opened])

  // Over the page, a link in an answer must show its target.
  const address = `${path}?${useSearch()}`
  const from = useRef(address)
  useEffect(() => {
    if (from.current !== address && !isBeside) onClose()
    from.current = address
  }, [address, isBeside, onClose])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    // A dialog of the panel is in another part of the document, but its events arrive here too.
    if (!(event.target instanceof Element) || !event.target.closest('.assistant-panel')) return
    event.preventDefault()
    if (showsList) setShowsList(false)
    else onClose()
  }
  const open = (id: string | null) => {
    conversation.open(id)
    setShowsList(false)
  }
  return (
    <section
      className="assistant-panel"
      aria-label={t.assistant}
      {...(!isBeside && { role: 'dialog', 'aria-modal': true })}
      onKeyDown={onKeyDown}
    >
      {isBeside && (
        <Divider label={t.panelWidth} size={width} sizes={PANEL_WIDTHS} isReversed onResize={onResize} />
      )}
      <header className="assistant-panel-head">
        {showsList && (
          <IconButton icon={ArrowLeft} label={t.backToChat} onClick={() => setShowsList(false)} />
        )}
        <h2 ref={heading} tabIndex={-1}>
          {showsList ? t.conversations : t.assistant}
        </h2>
        {!showsList && (
          <>
            <IconButton
              icon={MessageSquarePlus}
              label={t.newConversation}
              title={t.newConversation}
              onClick={() => {
                conversation.open(null)
                field.current?.focus()
              }}
            />
            <IconButton
              icon={History}
              label={t.showConversations}
              title={t.showConversations}
              onClick={() => setShowsList(true)}
            />
          </>
        )}
        <IconButton
          icon={Expand}
          label={t.openAsPage}
          title={t.openAsPage}
          onClick={() => navigate(addressOfConversation(conversation.id))}
        />
        <IconButton icon={X} iconSize={18} label={common.close} title={common.close} onClick={onClose} />
      </header>
      <div className="assistant-panel-body" ref={scroller}>
        {showsList ? (
          <ConversationList
            current={conversation.id}
            open={open}
            onCurrentDeleted={() => conversation.open(null)}
          />
        ) : (
          <ChatView
            conversationId={conversation.id}
            onOpen={conversation.open}
            subject={subject}
            scroller={scroller}
            field={field}
          />
        )}
      </div>
    </section>
  )
}
