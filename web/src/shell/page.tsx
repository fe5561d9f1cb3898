import { type ReactNode, use, useEffect, useRef } from 'react'
import { FirstPageContext } from './first-page.ts'
import './page.css'

const goToPart = (id: string): boolean => {
  const part = document.getElementById(id)
  if (!part) return false
  part.scrollIntoView({ block: 'start' })
  part.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
  return true
}

interface PageProps {
  title: string
  /** Window title, if it differs from the heading. */
  name?: string
  /** Parent section for the window title, such as "Settings". */
  within?: string
  about?: ReactNode
  above?: ReactNode
  children: ReactNode
}

/** Moves the focus to its heading, so that screen readers announce the new page. */
export const Page = ({ title, name = title, within, about, above, children }: PageProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const first = use(FirstPageContext)

  useEffect(() => {
    document.title = [name, within, 'Factotum'].filter(Boolean).join(' · ')
  }, [name, within])

  useEffect(() => {
    const part = decodeURIComponent(window.location.hash.slice(1))
    const hasScrolled = part !== '' && goToPart(part)
    if (!hasScrolled && !first.current) {
      window.scrollTo(0, 0)
      heading.current?.focus({ preventScroll: true })
    }
    first.current = false
  }, [first])

  return (
    <div className="page">
      <header className="page-head">
        {above}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {about !== undefined && <p className="page-about">{about}</p>}
      </header>
      {children}
    </div>
  )
}
