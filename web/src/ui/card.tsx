import { type ReactNode, useId } from 'react'

interface CardProps {
  /** Anchor for links to this card. */
  id?: string | undefined
  title: string
  about?: ReactNode
  /** Rendered beside the title. */
  aside?: ReactNode
  tone?: 'plain' | 'bad'
  children?: ReactNode
}

export const Card = ({ id, title, about, aside, tone = 'plain', children }: CardProps) => {
  const heading = useId()
  return (
    <section className="card" id={id} data-tone={tone} aria-labelledby={heading}>
      <div className="card-head">
        <div>
          <h2 id={heading} tabIndex={-1}>
            {title}
          </h2>
          {about !== undefined && <p className="card-about">{about}</p>}
        </div>
        {aside}
      </div>
      <div className="card-body">{children}</div>
    </section>
  )
}

export const Tag = ({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'good' | 'warn' | 'bad' | 'accent'
  children: ReactNode
}) => (
  <span className="tag" data-tone={tone}>
    {children}
  </span>
)
