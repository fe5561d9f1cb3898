import { type LucideIcon, RotateCw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { loading } from '#locale/pages'
import * as common from '#locale/shared-texts'
import { describeError, isMissing } from '../api/problem.ts'
import { Button } from './button.tsx'

interface NoticeProps {
  tone?: 'plain' | 'good' | 'warn' | 'bad' | 'accent'
  icon?: LucideIcon
  children: ReactNode
}

export const Notice = ({ tone = 'plain', icon: Icon, children }: NoticeProps) => (
  <div className="notice" data-tone={tone}>
    {Icon && <Icon size={18} aria-hidden="true" />}
    <div>{children}</div>
  </div>
)

/** Error notice for failed loads. A 404 has no retry button, because a retry would fail again. */
export const Failure = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <div role="alert">
    <Notice tone="bad" icon={TriangleAlert}>
      {describeError(error)}
      {!isMissing(error) && (
        <Button size="small" onClick={onRetry}>
          <RotateCw size={14} aria-hidden="true" />
          {common.retry}
        </Button>
      )}
    </Notice>
  </div>
)

export const Empty = ({
  icon: Icon,
  title,
  about,
  children,
}: {
  icon: LucideIcon
  title: string
  about?: string
  children?: ReactNode
}) => (
  <div className="empty">
    <span className="row-icon">
      <Icon size={22} aria-hidden="true" />
    </span>
    <strong>{title}</strong>
    {about !== undefined && <p>{about}</p>}
    {children}
  </div>
)

export const Skeleton = ({ lines = 3 }: { lines?: number }) => (
  <div className="skeleton" role="status">
    <span className="visually-hidden">{loading}</span>
    {Array.from({ length: lines }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical
      <span key={line} aria-hidden="true" />
    ))}
  </div>
)
