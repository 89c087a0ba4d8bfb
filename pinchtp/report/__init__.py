"""Reports: a game measured, and shown as one page.

`experiment` says what an experiment is, `section` what a section of the report is; each subject,
such as `sections/balance`, measures in experiments and explains its results in a section.
Experiments work in units that are stored one by one, so that a run can end at any moment and
continue later. `run` shares the time among them, `store` has the results, and `page` writes the
page.
"""
